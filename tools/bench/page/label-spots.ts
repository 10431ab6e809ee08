/** A text, or an area that no text may cover. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export const boxAround = (x: number, y: number, radius: number): Box => ({
  ...{ left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius },
});

/** Takes the first of these spots that lies inside and covers nothing; else the first. */
export function takeSpot(spots: readonly [Box, ...Box[]], inside: Box, taken: Box[]): Box {
  const isFree = (spot: Box) => contains(inside, spot) && !taken.some((other) => overlap(spot, other));
  const spot = spots.find(isFree) ?? spots[0];
  taken.push(spot);
  return spot;
}

const contains = (outer: Box, inner: Box) =>
  inner.left >= outer.left &&
  inner.top >= outer.top &&
  inner.left + inner.width <= outer.left + outer.width &&
  inner.top + inner.height <= outer.top + outer.height;

const overlap = (one: Box, other: Box) =>
  one.left < other.left + other.width &&
  other.left < one.left + one.width &&
  one.top < other.top + other.height &&
  other.top < one.top + one.height;
