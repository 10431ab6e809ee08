import { useSignal } from '@preact/signals';
import { Heading } from '../shell/heading.js';
import { ApiKeys } from './access/api-keys.js';
import { Confirmations } from './access/confirmations.js';
import { Password } from './access/password.js';
import { SecondFactorSection } from './access/second-factor.js';
import { Sessions } from './access/sessions.js';

export function AccessPage() {
  // A change of the password ends sessions.
  const changes = useSignal(0);
  return (
    <>
      <Heading text="Keys and sessions" />
      <ApiKeys />
      <Sessions key={changes.value} />
      <Password
        onDone={() => {
          changes.value += 1;
        }}
      />
      <SecondFactorSection />
      <Confirmations />
    </>
  );
}
