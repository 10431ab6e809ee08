import type { ComponentChildren } from 'preact';
import type { Resource } from '../../api/resource.js';
import { useFresh } from '../../live/fresh.js';
import { formatCount } from '../../parts/amount.js';

// What is not known is never shown as good: an answer that failed, that is too old, or of a page that is not live.

/** How good something is. `waiting`: the first answer is on its way. */
export interface Judgement {
  readonly style: 'good' | 'warn' | 'bad' | 'waiting';
  readonly text: string;
}

const WAITING: Judgement = { style: 'waiting', text: '…' };
const UNKNOWN: Judgement = { style: 'warn', text: 'unknown' };

export const good = (text: string): Judgement => ({ style: 'good', text });
export const warn = (text: string): Judgement => ({ style: 'warn', text });
export const bad = (text: string): Judgement => ({ style: 'bad', text });

/** `nothing` when there is none, else the count with its noun. */
export const badIfAny = (count: number, nothing: string, some: string): Judgement =>
  count === 0 ? good(nothing) : bad(`${formatCount(count)} ${some}`);

export const judgeStuck = ({ length }: readonly unknown[]): Judgement =>
  badIfAny(length, 'none is stuck', length === 1 ? 'is stuck' : 'are stuck');

export const judgeOverdue = (count: number): Judgement => badIfAny(count, 'in time', 'overdue');

export interface Judged<Body> {
  /** Undefined: not known now. */
  readonly body: Body | undefined;
  /** Judges a part of the answer. */
  readonly by: <Part>(pick: (body: Body) => Part | 'unknown', judge: (part: Part) => Judgement) => Judgement;
}

/** Judges only by an answer that is fresh. */
export function useJudged<Body extends object>(health: Resource<Body>): Judged<Body> {
  const { body } = health;
  const isKnown = useFresh(health);
  return {
    body: isKnown ? body : undefined,
    by(pick, judge) {
      if (!isKnown) return UNKNOWN;
      if (body === undefined) return WAITING;
      const part = pick(body);
      return part === 'unknown' ? UNKNOWN : judge(part as Exclude<typeof part, 'unknown'>);
    },
  };
}

export interface JudgedFigureProps {
  readonly name: string;
  readonly is: Judgement;
  /** What there is to say about it, and where to look. */
  readonly children?: ComponentChildren;
}

export function JudgedFigure({ name, is: { style, text }, children }: JudgedFigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class={style === 'waiting' ? 'waiting' : `tag ${style}`}>{text}</span>
        {children}
      </dd>
    </div>
  );
}

/** What is listed of an answer; nothing of what is not known. */
export const listed = <Item,>(items: readonly Item[] | 'unknown' | undefined): readonly Item[] =>
  items === undefined || items === 'unknown' ? [] : items;
