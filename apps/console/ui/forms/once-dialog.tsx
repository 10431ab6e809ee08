import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Copyable } from '../parts/copyable.js';
import { Dialog } from '../parts/dialog.js';
import { Form, type FormProps } from './form.js';
import type { FieldsOptions } from './use-form.js';

interface ToldOnceProps {
  /** To copy, by their labels. */
  readonly texts: Readonly<Record<string, string>>;
  /** Of the button. */
  readonly action?: string;
  readonly onStored: () => void;
  readonly children: ComponentChildren;
}

/** What the API tells only once. */
export const ToldOnce = ({ texts, action = 'I have stored it', onStored, children }: ToldOnceProps) => (
  <>
    <p>{children}</p>
    {Object.entries(texts).map(([label, text]) => (
      <Copyable key={label} label={label} text={text} />
    ))}
    <button type="button" class="main" onClick={onStored}>
      {action}
    </button>
  </>
);

interface OnceDialogProps<Given extends FieldsOptions, Answer> extends Omit<FormProps<Given, Answer>, 'hasNoKey'> {
  readonly title: string;
  readonly told: (answer: Answer) => ComponentChildren;
  readonly texts: (answer: Answer) => ToldOnceProps['texts'];
  readonly onClose: (answer?: Answer) => void;
}

/** A form whose answer has a secret, so it has no Idempotency-Key. The dialog shows the answer until the person leaves. */
export function OnceDialog<const Given extends FieldsOptions, Answer>(props: OnceDialogProps<Given, Answer>) {
  const { title, told, texts, onDone, onClose, ...form } = props;
  const answer = useSignal<Answer | undefined>(undefined);
  const leave = () => onClose(answer.value);
  const onAnswer: typeof onDone = (made, values) => {
    answer.value = made;
    onDone?.(made, values);
  };
  return (
    <Dialog title={title} onClose={leave}>
      {answer.value === undefined ? (
        <Form {...form} hasNoKey onDone={onAnswer} />
      ) : (
        <ToldOnce texts={texts(answer.value)} onStored={leave}>
          {told(answer.value)}
        </ToldOnce>
      )}
    </Dialog>
  );
}
