import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Form } from '../forms/form.js';
import type { FieldOptions } from '../forms/use-form.js';
import { OutsidePage } from './outside-page.js';

interface TokenPageProps {
  readonly title: string;
  readonly token: string;
  readonly form: {
    readonly name: string;
    readonly action: string;
    readonly password: FieldOptions;
    readonly send: (token: string, password: string) => Promise<void>;
  };
  /** What follows. */
  readonly done: { readonly title: string; readonly text: ComponentChildren };
  /** What else may help. */
  readonly children: ComponentChildren;
}

/** A page to which the link of a mail leads: with its token it takes a password. It needs no session. */
export function TokenPage({ title, token, form: { password, send, ...form }, done, children }: TokenPageProps) {
  const isDone = useSignal(false);
  if (isDone.value) {
    return (
      <OutsidePage key="done" title={done.title} isNext>
        <p role="status">{done.text}</p>
      </OutsidePage>
    );
  }
  return (
    <OutsidePage title={title}>
      {token === '' ? (
        <p role="alert">This address has no token. Open the whole link of the mail.</p>
      ) : (
        <Form
          {...form}
          hasNoKey
          fields={{ password }}
          send={({ password: given }) => send(token, given)}
          onDone={() => {
            isDone.value = true;
          }}
          afterDone={() => ({ password: '' })}
        />
      )}
      <p class="aside way">{children}</p>
    </OutsidePage>
  );
}
