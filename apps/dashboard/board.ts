import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bullmq';
import express, { type Router } from 'express';
import helmet from 'helmet';

export const BOARD_PATH = '/queues';

type EntryRoute = Parameters<ExpressAdapter['setEntryRoute']>[0];

/** A style sheet or script of another host. */
const FOREIGN_LINK = /<(?:link|script)\b[^>]*\b(?:href|src)=["'](?:https?:)?\/\/[^>]*>(?:<\/script>)?/gi;

/** Bull Board has inline styles. */
const boardPolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    'default-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  },
});

/** Bull Board's page without the fonts of another host, which would see who opens it and when. */
class LocalPages extends ExpressAdapter {
  override setEntryRoute({ method, route, handler }: EntryRoute): this {
    this.app[method](route, (_request, response, next) => {
      const { name, params } = handler({ basePath: this.basePath, uiConfig: this.uiConfig });
      this.app.render(name, params, (error: Error | null, html?: string) => {
        if (error !== null || html === undefined) next(error);
        else response.type('html').send(html.replace(FOREIGN_LINK, ''));
      });
    });
    return this;
  }
}

export function createBoard(queues: readonly Queue[]): Router {
  const board = new LocalPages();
  board.setBasePath(BOARD_PATH);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue)),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Betting Ledger', miscLinks: [{ text: 'Console', url: '/' }] } },
  });
  return express.Router().use(boardPolicy, board.getRouter());
}
