import { announce } from './alerts.js';

/** A text to take away, such as a secret or a command. Browsers let pages copy over TLS and on localhost only. */
export function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => announce(`Copied: ${label}`),
      () => announce('The browser does not let this page copy: select the text instead.'),
    );
  };
  return (
    <div class="copyable">
      <p>{label}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll a long line */}
      <section tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      {navigator.clipboard !== undefined && (
        <button type="button" onClick={copy} aria-label={`Copy: ${label}`}>
          Copy
        </button>
      )}
    </div>
  );
}
