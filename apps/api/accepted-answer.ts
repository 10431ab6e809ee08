/** The work of the request goes on after this answer, whose status is 202. */
export class AcceptedAnswer {
  constructor(readonly body: object) {}
}
