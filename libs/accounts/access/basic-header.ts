const BASIC = /^Basic +([A-Za-z0-9+/=_-]+)$/i;

/**
 * The header with everything behind its first colon percent-encoded. passport-http splits at every colon and keeps the
 * second part, so a password with a colon would never fit, and whatever follows a second one would not count.
 */
export function wholeBasicHeader(authorization: string): string {
  const pair = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 0) return '';
  const whole = `${encodeURIComponent(pair.slice(0, colon))}:${encodeURIComponent(pair.slice(colon + 1))}`;
  return `Basic ${Buffer.from(whole).toString('base64')}`;
}

/** Takes the encoding back, in the strategy's callback. */
export const basicPart = decodeURIComponent;
