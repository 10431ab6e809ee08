import { render } from 'preact';
import { readSession } from './api/session.js';
import { App } from './app.js';

const root = document.getElementById('app');
// The first thing that is shown needs the session, so nothing is rendered before it.
if (root !== null) void readSession().then(() => render(<App />, root));
