import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Role } from '../api/first-view-data.js';
import { mayDo, roleHint } from '../api/session.js';
import { viewedAccount } from '../api/viewed-account.js';
import { areKeysOn, useKeys } from './keys.js';

/** A dialog about something that a list shows: `open` opens it, and `dialog` stands beside the list. */
export function useDialog<Subject>(show: (subject: Subject, close: () => void) => ComponentChildren) {
  const opened = useSignal<{ readonly subject: Subject } | undefined>(undefined);
  const close = () => {
    opened.value = undefined;
  };
  const open = (subject: Subject) => {
    opened.value = { subject };
  };
  return { open, dialog: opened.value && show(opened.value.subject, close) };
}

export interface Action {
  /** Of its button. */
  readonly text: string;
  readonly isMain?: boolean;
  readonly isLarge?: boolean;
  /** The key of the page that opens it too. */
  readonly key?: string;
  readonly isOff?: boolean;
  /** The role that it needs: it is off for others. */
  readonly least?: Role;
  /** It has no use now. Its dialog stays when it is open. */
  readonly isHidden?: boolean;
  /** Admins do it to other accounts: all else is hidden while they look into one. */
  readonly isForAdmins?: boolean;
  readonly dialog: (close: () => void) => ComponentChildren;
}

/** Buttons, by the names of their actions, and the dialog that one of them has opened. */
export function Actions({ of }: { readonly of: Readonly<Record<string, Action>> }) {
  const { open, dialog } = useDialog<string>((name, close) => of[name]?.dialog(close));
  const isOther = viewedAccount.value !== undefined;
  const shown = Object.entries(of).filter(
    ([, { isHidden = false, isForAdmins = false }]) => !isHidden && (isForAdmins || !isOther),
  );
  const isForbidden = ({ least }: Action) => least !== undefined && !mayDo(least);
  const isOffNow = (action: Action) => (action.isOff ?? false) || isForbidden(action);
  useKeys((pressed) => {
    const [found] = shown.find(([, action]) => action.key === pressed && !isOffNow(action)) ?? [];
    if (found !== undefined) open(found);
    return found !== undefined;
  });
  return (
    <>
      {shown.length > 0 && (
        <div class="actions">
          {shown.map(([name, action]) => (
            <button
              key={name}
              type="button"
              class={[action.isMain && 'main', action.isLarge && 'large'].filter(Boolean).join(' ')}
              disabled={isOffNow(action)}
              aria-keyshortcuts={action.key !== undefined && areKeysOn.value ? action.key : undefined}
              onClick={() => open(name)}
            >
              {action.text}
            </button>
          ))}
          {shown.some(([, action]) => isForbidden(action)) && <span class="hint">{roleHint()}</span>}
        </div>
      )}
      {dialog}
    </>
  );
}
