import { logOut } from '../api/session.js';
import { AddFactor } from '../pages/access/add-factor.js';
import { OutsidePage } from './outside-page.js';

/** In place of every page, while the account asks for a second factor that the person does not have. */
export const RequiredFactorPage = () => (
  <OutsidePage title="Add a second factor">
    <p>Your account asks for a second factor. Enter your password to begin.</p>
    <AddFactor onDone={() => location.reload()} />
    <p class="way">
      <button type="button" class="quiet" onClick={() => void logOut()}>
        Log out
      </button>
    </p>
  </OutsidePage>
);
