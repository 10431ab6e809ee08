const BASIC = /^Basic +([A-Za-z0-9+/=_-]+)$/i;

/**
 * The header with both parts around its first colon percent-encoded. passport-http splits at every colon and takes the
 * second part only, so it would cut a password at its first colon.
 */
export function wholeBasicHeader(authorization: string): string {
  const pair = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 0) return '';
  const whole = `${encodeURIComponent(pair.slice(0, colon))}:${encodeURIComponent(pair.slice(colon + 1))}`;
  return `Basic ${Buffer.from(whole).toString('base64')}`;
}

/** Decodes a part in the strategy's callback. */
export const basicPart = decodeURIComponent;
