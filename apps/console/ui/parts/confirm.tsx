import type { ComponentChildren } from 'preact';
import { FormView } from '../forms/form-view.js';
import { useForm } from '../forms/use-form.js';
import { announce } from './alerts.js';
import { Dialog } from './dialog.js';

export interface ConfirmProps<Answer> {
  readonly title: string;
  /** Names what is done and to what, as the name of a form. */
  readonly name: string;
  /** The text of the button. */
  readonly action: string;
  readonly send: (idempotencyKey: string) => Promise<Answer>;
  /** What is announced afterwards. */
  readonly done: string | ((answer: Answer) => string);
  readonly onDone?: (answer: Answer) => void;
  readonly onClose: () => void;
  readonly decides?: boolean;
  /** What it does, before it is done. */
  readonly children: ComponentChildren;
}

/** Asks before a state is set, such as suspended or revoked. */
export function Confirm<Answer>(props: ConfirmProps<Answer>) {
  const { title, name, action, send, done, onDone, onClose, decides = false, children } = props;
  const form = useForm({
    name,
    isStored: false,
    initial: {},
    send: (_values, idempotencyKey) => send(idempotencyKey),
    onDone(answer) {
      announce(typeof done === 'string' ? done : done(answer));
      onClose();
      onDone?.(answer);
    },
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <FormView form={form} action={action} decides={decides}>
        <div>{children}</div>
      </FormView>
    </Dialog>
  );
}
