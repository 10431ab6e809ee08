import { useSignal } from '@preact/signals';
import { api, LedgerError } from '../api/api.js';
import { FACTOR_CODE, PASSWORD } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { Dialog } from '../parts/dialog.js';

/** Above a form whose call needs a fresh proof; the call is repeated afterwards. */
export function ProofDialog({ onAnswer }: { readonly onAnswer: (isProved: boolean) => void }) {
  const asksCode = useSignal(false);
  return (
    <Dialog title="Confirm your password" onClose={() => onAnswer(false)}>
      <p>You logged in more than 15 minutes ago. This needs your password once more.</p>
      <Form
        name="confirm the password"
        hasNoKey
        action="Confirm"
        fields={{ password: PASSWORD, code: asksCode.value ? FACTOR_CODE : {} }}
        send={({ password, code }) =>
          api.post('/auth/account/confirm', { body: { password, ...(code !== '' && { code }) } }).catch((error) => {
            if (error instanceof LedgerError && error.code === 'code-needed') asksCode.value = true;
            throw error;
          })
        }
        onDone={() => onAnswer(true)}
      />
    </Dialog>
  );
}
