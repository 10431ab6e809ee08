const FRAME_REM = 11.2;
const ROW_REM = 3.85;

/** Keeps the place of a board of so many wagers until it comes: what stands below it must not move under the hand. */
export const BoardSpace = ({ most }: { readonly most: number }) => (
  <div style={{ minHeight: `${FRAME_REM + most * ROW_REM}rem` }} />
);
