import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bullmq';
import express, { type Express, type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import type { RecordQueueAction } from './record-queue-action.js';

export const BOARD_PATH = '/queues';

type EntryRoute = Parameters<ExpressAdapter['setEntryRoute']>[0];
type ApiRoutes = Parameters<ExpressAdapter['setApiRoutes']>[0];

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

/**
 * Bull Board's page without the fonts of another host, which would see who opens it and when; and every route that is no
 * read behind a guard.
 */
class GuardedBoard extends ExpressAdapter {
  readonly #recordAction: RecordQueueAction;

  constructor(recordAction: RecordQueueAction) {
    super();
    this.#recordAction = recordAction;
  }

  override setApiRoutes(routes: ApiRoutes): this {
    for (const { method, route } of routes) {
      const paths = [route].flat();
      for (const acting of [method].flat().filter((name) => name !== 'get')) {
        for (const path of paths) this.app[acting](path, this.#recordAction(path));
      }
    }
    super.setApiRoutes(routes);
    return this;
  }

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

/**
 * Each app of Express gives its own prototypes to the requests that it handles. The server's prototypes bound what waits on a
 * connection: without them, the connection stands still after 16 requests.
 */
const withOwnPrototypes =
  (app: Express): RequestHandler =>
  (request, response, next) => {
    app.request = Object.getPrototypeOf(request);
    app.response = Object.getPrototypeOf(response);
    app(request, response, next);
  };

export function createBoard(queues: readonly Queue[], recordAction: RecordQueueAction): Router {
  const board = new GuardedBoard(recordAction);
  board.setBasePath(BOARD_PATH);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue)),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Betting Ledger', miscLinks: [{ text: 'Console', url: '/' }] } },
  });
  return express.Router().use(boardPolicy, withOwnPrototypes(board.getRouter()));
}
