import type { RequestHandler } from 'express';

/** Answers contain money and personal data, so neither a browser nor a proxy may store one. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
