import type { Outcome } from '#core/outcome.js';

/** Home goals and away goals; or it was called off, and every stake comes back. */
export type Result = readonly [home: number, away: number] | 'abandoned';

export interface Match {
  readonly key: string;
  readonly home: string;
  readonly away: string;
  readonly result: Result;
  /** What the result turns out to be, after everything was paid. */
  readonly corrected?: Result;
  /** How much of the betting goes there. */
  readonly weight: number;
}

/** All teams are invented. The first match is the one that everybody bets on. */
export const matches: readonly [Match, ...Match[]] = [
  {
    key: 'northbridge-lakeside',
    home: 'Northbridge Rovers',
    away: 'Lakeside United',
    result: [2, 1],
    corrected: [1, 1],
    weight: 4,
  },
  { key: 'harbour-oldmill', home: 'Harbour City', away: 'Old Mill Athletic', result: [0, 2], weight: 2 },
  { key: 'ferndale-stonegate', home: 'Ferndale Wanderers', away: 'Stonegate Town', result: [1, 1], weight: 2 },
  { key: 'hilltop-riverside', home: 'Hilltop Albion', away: 'Riverside Rangers', result: 'abandoned', weight: 1 },
];

export interface Market {
  readonly key: string;
  /** About what is asked for it. */
  readonly odds: number;
  readonly weight: number;
  readonly outcome: { readonly homeWins: Outcome; readonly draw: Outcome; readonly awayWins: Outcome };
}

/** What can be bet on in each match: a wager each. Together they end in every way that a wager can. */
export const markets: readonly [Market, ...Market[]] = [
  { key: 'home-win', odds: 2.2, weight: 5, outcome: { homeWins: 'win', draw: 'loss', awayWins: 'loss' } },
  { key: 'draw', odds: 3.4, weight: 3, outcome: { homeWins: 'loss', draw: 'win', awayWins: 'loss' } },
  { key: 'away-win', odds: 3.1, weight: 3, outcome: { homeWins: 'loss', draw: 'loss', awayWins: 'win' } },
  { key: 'home-draw-no-bet', odds: 1.6, weight: 2, outcome: { homeWins: 'win', draw: 'push', awayWins: 'loss' } },
  { key: 'away-plus-quarter', odds: 1.9, weight: 2, outcome: { homeWins: 'loss', draw: 'half-win', awayWins: 'win' } },
  {
    key: 'home-minus-quarter',
    odds: 1.8,
    weight: 2,
    outcome: { homeWins: 'win', draw: 'half-loss', awayWins: 'loss' },
  },
];

export function outcomeOf({ outcome }: Market, result: Result): Outcome {
  if (result === 'abandoned') return 'void';
  const [home, away] = result;
  if (home === away) return outcome.draw;
  return home > away ? outcome.homeWins : outcome.awayWins;
}

export const wagerOf = (match: Match, market: Market): string => `${match.key}-${market.key}`;

export const describeResult = (result: Result): string =>
  result === 'abandoned' ? 'abandoned' : `${result[0]}–${result[1]}`;

export const describeMatch = ({ home, away, result }: Match): string =>
  result === 'abandoned' ? `${home} v ${away} abandoned` : `${home} ${describeResult(result)} ${away}`;
