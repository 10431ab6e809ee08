import { render } from 'preact';
import { forgetFirstView } from './api/first-view.js';
import { noticePersons } from './api/person.js';
import { forgetOtherPeople, keepSession, readSession, session } from './api/session.js';
import { App, loadViewAt } from './app.js';
import { address } from './shell/router.js';

const root = document.getElementById('app');

function show(): void {
  forgetOtherPeople();
  if (root !== null) render(<App />, root);
  // What a first answer leads to is asked for before this, in the same task.
  setTimeout(forgetFirstView);
}

noticePersons(() => void keepSession());

/** Then the page is drawn without its script, and again with it. */
const SCRIPT_WITHIN_MS = 1_000;

/** The first thing that is shown needs the session. A page whose script came later would be drawn twice. */
async function start(): Promise<void> {
  const view = loadViewAt(address.value).catch(() => undefined);
  if (session.value === undefined) await readSession();
  if (session.value) await Promise.race([view, new Promise((resolve) => setTimeout(resolve, SCRIPT_WITHIN_MS))]);
  show();
}

void start();
