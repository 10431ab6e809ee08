import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, type Schemas } from '../../api/api.js';
import { FACTOR_CODE, PASSWORD } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { ToldOnce } from '../../forms/once-dialog.js';
import { Copyable } from '../../parts/copyable.js';
import type { QrPath } from '../../parts/qr-path.js';

type Begun = Schemas['BegunSecondFactor'];

function QrCode({ text }: { readonly text: string }) {
  const code = useSignal<QrPath | undefined>(undefined);
  useEffect(() => {
    // Without it there is still the secret to type.
    import('../../parts/qr-path.js').then(
      ({ qrPathOf }) => {
        code.value = qrPathOf(text);
      },
      () => undefined,
    );
  }, [text]);
  if (code.value === undefined) return <div class="qr" />;
  const { size, path } = code.value;
  return (
    <svg class="qr" role="img" aria-label="QR code of the secret" viewBox={`0 0 ${size} ${size}`}>
      <path d={path} />
    </svg>
  );
}

interface ConfirmCodeProps {
  readonly begun: Begun;
  readonly onConfirmed: (codes: readonly string[]) => void;
}

const ConfirmCode = ({ begun, onConfirmed }: ConfirmCodeProps) => (
  <>
    <p>Scan this with an authenticator app, or type the secret into it. Then enter the code that it shows.</p>
    <QrCode text={begun.uri} />
    <Copyable label="Secret" text={begun.secret} />
    <Form
      name="confirm the second factor"
      hasNoKey
      action="Add the second factor"
      fields={{ code: { ...FACTOR_CODE, hint: 'The 6 digits that the app shows now.', inputMode: 'numeric' } }}
      send={(body) => api.post('/auth/account/second-factor/confirm', { body })}
      onDone={({ data }) => onConfirmed(data.recovery_codes)}
    />
  </>
);

/** The steps: the password, the code of the app, and the recovery codes, which the API tells only once. */
export function AddFactor({ onDone }: { readonly onDone: () => void }) {
  const begun = useSignal<Begun | undefined>(undefined);
  const codes = useSignal<readonly string[] | undefined>(undefined);
  if (codes.value !== undefined) {
    return (
      <ToldOnce texts={{ 'Recovery codes': codes.value.join('\n') }} action="I have stored them" onStored={onDone}>
        From now on your log-in needs a code. <strong>These recovery codes are shown only once:</strong> store them now.
        Each logs in once when you have lost the app.
      </ToldOnce>
    );
  }
  if (begun.value !== undefined) {
    const onConfirmed = (made: readonly string[]) => {
      codes.value = made;
    };
    return <ConfirmCode begun={begun.value} onConfirmed={onConfirmed} />;
  }
  return (
    <Form
      name="begin a second factor"
      hasNoKey
      action="Next"
      fields={{ password: PASSWORD }}
      send={(body) => api.post('/auth/account/second-factor', { body })}
      onDone={({ data }) => {
        begun.value = data;
      }}
    />
  );
}
