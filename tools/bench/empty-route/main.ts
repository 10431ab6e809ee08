import express from 'express';

// The least that an Express application can do: an upper bound for the rate of any route.

const app = express();
app.set('etag', false);
app.disable('x-powered-by');
app.get('/', (_request, response) => {
  response.json({ status: 'ok' });
});
app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ type: 'ready' }));
process.on('disconnect', () => process.exit(0));
