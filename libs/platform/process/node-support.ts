const OLDEST_SUPPORTED = 22;

/** Node's even releases are supported for three years. Undefined while this one gets fixes. */
export function outOfSupport(version: string): string | undefined {
  const major = Number.parseInt(version, 10);
  if (major >= OLDEST_SUPPORTED && major % 2 === 0) return undefined;
  return `Node ${version} gets no security fixes any more: use Node 22 or 24`;
}
