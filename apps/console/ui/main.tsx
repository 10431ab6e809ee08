import { render } from 'preact';
import { forgetFirstView } from './api/first-view.js';
import { noticePersons } from './api/person.js';
import { forgetOtherPeople, keepSession, readSession, session } from './api/session.js';
import { App } from './app.js';

const root = document.getElementById('app');

function show(): void {
  forgetOtherPeople();
  if (root !== null) render(<App />, root);
  forgetFirstView();
}

noticePersons(() => void keepSession());

// The first thing that is shown needs the session, so nothing is rendered before it.
if (session.value !== undefined) show();
else void readSession().then(show);
