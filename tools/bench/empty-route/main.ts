import express from 'express';
import { serve } from '#http/server.js';

// The least that an Express application can do, on the server of the API.

const app = express();
app.set('etag', false);
app.disable('x-powered-by');
app.get('/', (_request, response) => {
  response.json({ status: 'ok' });
});
await serve(app, { host: '127.0.0.1', port: Number(process.env.PORT) });
process.send?.({ type: 'ready' });
process.on('disconnect', () => process.exit(0));
