import type { DecidedOutcome } from '#core/records.js';

/** The goals of both teams; when the game was abandoned, every stake comes back. */
export type Result = readonly [home: number, away: number] | 'abandoned';

export interface Game {
  readonly key: string;
  readonly home: string;
  readonly away: string;
  readonly result: Result;
  /** Replaces the result after all bets are paid. */
  readonly corrected?: Result;
  /** The share of all bets that goes to this game, relative to the other weights. */
  readonly weight: number;
}

/** All teams are invented. Most bets go to the first game. */
export const games: readonly [Game, ...Game[]] = [
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
  /** The odds of an offer lie around these. */
  readonly odds: number;
  readonly weight: number;
  readonly outcome: {
    readonly homeWins: DecidedOutcome;
    readonly draw: DecidedOutcome;
    readonly awayWins: DecidedOutcome;
  };
}

/** Each game has one wager per market. Together they end in every outcome that a wager can have. */
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

export function outcomeOf({ outcome }: Market, result: Result): DecidedOutcome {
  if (result === 'abandoned') return 'void';
  const [home, away] = result;
  if (home === away) return outcome.draw;
  return home > away ? outcome.homeWins : outcome.awayWins;
}

export const wagerReferenceOf = (game: Game, market: Market): string => `${game.key}-${market.key}`;

export const describeResult = (result: Result): string =>
  result === 'abandoned' ? 'abandoned' : `${result[0]}–${result[1]}`;

export const describeGame = ({ home, away, result }: Game): string =>
  result === 'abandoned' ? `${home} v ${away} abandoned` : `${home} ${describeResult(result)} ${away}`;
