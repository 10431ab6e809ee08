// Tells the console's server which requests a person caused. A page that is open asks for much by itself, and must not keep a
// session alive.

const MARK = { 'Console-Person': '1' } as const;
/** What a person starts may need several requests, one after the other. */
const RECENT_MS = 60_000;
/** Far below the half an hour after which a session without a person ends. */
const QUIET_MS = 300_000;

let actedAt = Number.NEGATIVE_INFINITY;
let toldAt = Date.now();

/** The header of a request, when a person has used the page just now. */
export function personHeader(): Readonly<Record<string, string>> {
  const now = Date.now();
  if (now - actedAt > RECENT_MS) return {};
  toldAt = now;
  return MARK;
}

/** Notes each act of a person. `tell` sends a request with the mark: a long form causes none by itself. */
export function noticePersons(tell: () => void): void {
  const note = () => {
    actedAt = Date.now();
    if (actedAt - toldAt > QUIET_MS) tell();
  };
  for (const type of ['pointerdown', 'keydown', 'wheel'])
    addEventListener(type, note, { capture: true, passive: true });
}
