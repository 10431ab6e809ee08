import type { RequestHandler } from 'express';

/** Answers are about somebody's money: no browser and nobody on the way keeps a copy. */
export const notKept: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
