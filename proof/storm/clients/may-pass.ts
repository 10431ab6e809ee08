const REQUEST_TIMEOUT = 408;
const TOO_MANY = 429;
const SERVER_FAULTS = 500;

/** Whether another try may be answered: after 408, the API has not read the request. */
export const mayPass = (status: number): boolean =>
  status === REQUEST_TIMEOUT || status === TOO_MANY || status >= SERVER_FAULTS;
