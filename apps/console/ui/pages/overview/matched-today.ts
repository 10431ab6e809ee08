import { useRef } from 'preact/hooks';
import { LedgerError, type Reads, type Schemas } from '../../api/api.js';
import { type Resource, useResource } from '../../api/resource.js';

// What was matched on a day is summed from the log. Each load goes on where the one before has ended.

const MOST_PAGES = 30;
const CONFLICT = 409;

export interface Matched {
  readonly bets: number;
  readonly amount: number;
  /** False: there is more than was read. */
  readonly isWhole: boolean;
}

interface ReadMatches extends Matched {
  readonly day: string;
  /** Up to here they are counted; undefined: none is. */
  readonly cursor: string | undefined;
}

async function readOn({ get }: Reads, begun: ReadMatches): Promise<ReadMatches> {
  let read = begun;
  for (let page = 0; page < MOST_PAGES && !(read.isWhole && page > 0); page += 1) {
    const query = read.cursor === undefined ? { created_after: read.day } : { after: read.cursor };
    const answer: Schemas['MatchedTotals'] = await get('/events/matched-totals', { params: { query } });
    read = {
      day: read.day,
      bets: read.bets + answer.matched_bets,
      amount: read.amount + answer.matched_amount,
      isWhole: !answer.has_more,
      cursor: answer.next,
    };
  }
  return read;
}

/** What was matched on a day (UTC) that has not ended. */
export function useMatchedToday(day: string, pauseMs: number): Resource<Matched> {
  const readRef = useRef<ReadMatches | undefined>(undefined);
  const load = async (reads: Reads): Promise<Matched> => {
    try {
      const known = readRef.current?.day === day ? readRef.current : undefined;
      const read = await readOn(reads, known ?? { day, bets: 0, amount: 0, isWhole: false, cursor: undefined });
      readRef.current = read;
      reads.setPosition(read.isWhole ? read.cursor : undefined);
      return read;
    } catch (error) {
      // History was restored: what was counted may not have happened.
      if (error instanceof LedgerError && error.status === CONFLICT) readRef.current = undefined;
      throw error;
    }
  };
  return useResource(load, [day], { types: ['offer.matched'], pauseMs });
}
