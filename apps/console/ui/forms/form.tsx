import type { ComponentChildren } from 'preact';
import { announce } from '../parts/alerts.js';
import { Dialog } from '../parts/dialog.js';
import { Fields } from './fields.js';
import { FormView, type FormViewProps } from './form-view.js';
import { type FieldsOptions, type FormOptions, useForm } from './use-form.js';

export interface FormProps<Given extends FieldsOptions, Answer>
  extends FormOptions<Given, Answer>,
    Pick<FormViewProps, 'action' | 'decides' | 'enterConfirms' | 'least'> {
  /** Above its fields. */
  readonly children?: ComponentChildren;
}

export function Form<const Given extends FieldsOptions, Answer>(props: FormProps<Given, Answer>) {
  const { action, decides = false, enterConfirms = false, least = 'viewer', children, ...options } = props;
  const form = useForm(options);
  return (
    <FormView form={form} action={action} decides={decides} enterConfirms={enterConfirms} least={least}>
      {children}
      <Fields form={form} />
    </FormView>
  );
}

/** What a dialog of an action gets from the page that opens it. */
export interface ActionProps {
  /** It was done: the page has to show it. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

export interface FormDialogProps<Given extends FieldsOptions, Answer>
  extends Omit<FormProps<Given, Answer>, 'onDone'>,
    ActionProps {
  readonly title: string;
  /** What is announced afterwards. */
  readonly done: string | ((answer: Answer) => string);
}

/** A form in a dialog, which closes when it was done. */
export function FormDialog<const Given extends FieldsOptions, Answer>(props: FormDialogProps<Given, Answer>) {
  const { title, done, onDone, onClose, ...options } = props;
  const finish = (answer: Answer) => {
    announce(typeof done === 'string' ? done : done(answer));
    onClose();
    onDone?.();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...options} onDone={finish} />
    </Dialog>
  );
}

export interface ConfirmProps<Answer> extends Omit<FormDialogProps<FieldsOptions, Answer>, 'name' | 'fields' | 'send'> {
  readonly send: (idempotencyKey: string) => Promise<Answer>;
}

/** Asks before a state is set, such as suspended or revoked. */
export function Confirm<Answer>({ send, children, ...props }: ConfirmProps<Answer>) {
  return (
    <FormDialog {...props} name={props.title} fields={{}} isStored={false} send={(_values, key) => send(key)}>
      <div>{children}</div>
    </FormDialog>
  );
}
