import express, { type Router } from 'express';
import { LOGIN_PATH, type Sessions } from './sessions.js';

const MAX_FORM = '4kb';
const MAX_FORM_FIELDS = 10;
export const LOGOUT_PATH = '/logout';

const style = `
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #151a21; color: #d5dbe3;
         font: 16px/1.5 system-ui, sans-serif; }
  main { width: min(20rem, 90vw); }
  label, button { display: block; width: 100%; margin-top: 1rem; }
  input, button { box-sizing: border-box; width: 100%; padding: 0.6rem; font: inherit; border-radius: 4px;
                  border: 1px solid #56606e; }
  button { background: #3b82f6; border-color: #3b82f6; color: #fff; cursor: pointer; }
  [role='alert'] { color: #ff9b9b; }`;

const page = (content: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>Betting Ledger</title>
    <style>${style}</style>
  </head>
  <body><main><h1>Betting Ledger</h1>${content}</main></body>
</html>
`;

const loginPage = (fault = '') =>
  page(`${fault}
    <form method="post" action="${LOGIN_PATH}">
      <label>E-mail <input name="email" type="email" autocomplete="username" required autofocus></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
      <button>Log in</button>
    </form>`);

const WRONG = '<p role="alert">This is not the e-mail and the password of an admin.</p>';

const logoutPage = page(`
    <form method="post" action="${LOGOUT_PATH}"><button>Log out</button></form>`);

/** The forms by which admins log in and out. A link cannot log anyone out: it leads to the form. */
export function createSessionPages(sessions: Sessions): Router {
  const router = express.Router();
  const readForm = express.urlencoded({ extended: false, limit: MAX_FORM, parameterLimit: MAX_FORM_FIELDS });
  router.get(LOGIN_PATH, (_request, response) => {
    response.type('html').send(loginPage());
  });
  router.post(LOGIN_PATH, readForm, async (request, response) => {
    if (await sessions.start(request, response)) response.redirect(303, '/');
    else response.status(401).type('html').send(loginPage(WRONG));
  });
  router.get(LOGOUT_PATH, (_request, response) => {
    response.type('html').send(logoutPage);
  });
  router.post(LOGOUT_PATH, async (request, response) => {
    await sessions.end(request, response);
    response.redirect(303, LOGIN_PATH);
  });
  return router;
}
