import { signal } from '@preact/signals';

// Some calls take a proof of the last 15 minutes that their person uses the session. The page then asks for the password, and
// repeats the call.

type Answer = (isProved: boolean) => void;

/** While the page asks: takes its answer. */
export const askedProof = signal<Answer | undefined>(undefined);

let asked: Promise<boolean> | undefined;

/** Whether the person has proved it. Calls that need a proof at once wait for the same one. */
export function askForProof(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    askedProof.value = (isProved) => {
      askedProof.value = undefined;
      asked = undefined;
      resolve(isProved);
    };
  });
  return asked;
}
