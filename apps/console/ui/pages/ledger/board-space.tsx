const WAGERS = 'wagers of the risk board';
const FRAME_REM = 11.2;
const ROW_REM = 3.85;

/** Called when a board is shown: of so many wagers there are. */
export const noteWagers = (count: number): void => sessionStorage.setItem(WAGERS, String(count));

/** Keeps the place of the board until it comes, if it was shown before: what stands below it must not move under the hand. */
export function BoardSpace({ most, hasFailed = false }: { readonly most: number; readonly hasFailed?: boolean }) {
  const rows = Math.min(most, Number(sessionStorage.getItem(WAGERS)));
  if (rows === 0 || hasFailed) return null;
  return <div style={{ minHeight: `${FRAME_REM + rows * ROW_REM}rem` }} />;
}
