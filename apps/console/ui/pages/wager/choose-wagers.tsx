import { type Signal, useSignal } from '@preact/signals';
import type { Schemas } from '../../api/api.js';
import { mayDo } from '../../api/session.js';
import { viewedAccount } from '../../api/viewed-account.js';
import { isLive } from '../../live/liveness.js';
import { type Action, Actions } from '../../parts/actions.js';
import { formatCountOf } from '../../parts/amount.js';
import type { Column } from '../../parts/data-table.js';
import { DecideSeveral } from '../later-dialogs.js';

type ListedWager = Schemas['ListedWager'];

/** As many as one batch takes. */
const MOST = 20;

/** A box for each wager that may be decided. */
const columnOf = (
  chosen: readonly string[],
  choose: (reference: string, isChosen: boolean) => void,
): Column<ListedWager> => ({
  title: 'Chosen',
  hidesTitle: true,
  text: ({ reference, outcome }) =>
    outcome === 'undecided' && (
      <input
        type="checkbox"
        aria-label={`Choose ${reference}`}
        checked={chosen.includes(reference)}
        disabled={chosen.length >= MOST && !chosen.includes(reference)}
        onChange={({ currentTarget }) => choose(reference, currentTarget.checked)}
      />
    ),
});

interface ChooseAllProps {
  readonly chosen: Signal<readonly string[]>;
  readonly shown: readonly ListedWager[];
}

function ChooseAll({ chosen, shown }: ChooseAllProps) {
  const undecided = shown.filter(({ outcome }) => outcome === 'undecided').map(({ reference }) => reference);
  const all = [...new Set([...chosen.value, ...undecided])];
  return (
    <button
      type="button"
      disabled={all.length > MOST || all.length === chosen.value.length}
      onClick={() => {
        chosen.value = all;
      }}
    >
      Choose all shown
    </button>
  );
}

/** Wagers that are chosen one by one, on any page of the list, or all that are shown, and decided together. */
export function useChosenWagers(shown: readonly ListedWager[]) {
  const isChoosing = useSignal(false);
  const chosen = useSignal<readonly string[]>([]);
  const choose = (reference: string, isChosen: boolean) => {
    const others = chosen.value.filter((each) => each !== reference);
    chosen.value = isChosen ? [...others, reference] : others;
  };
  const isDone = useSignal(false);
  const end = () => {
    isDone.value = false;
    isChoosing.value = false;
    chosen.value = [];
  };
  const mayChoose = viewedAccount.value === undefined && mayDo('settler');
  const decide: Action = {
    text: chosen.value.length === 0 ? 'Choose wagers below' : `Decide ${formatCountOf(chosen.value.length, 'wager')} …`,
    isMain: true,
    isHidden: !isChoosing.value,
    isOff: chosen.value.length === 0 || !isLive.value,
    dialog: (close) => (
      <DecideSeveral
        references={chosen.value}
        onDone={() => {
          isDone.value = true;
        }}
        onClose={() => {
          close();
          if (isDone.value) end();
        }}
      />
    ),
  };
  const actions = mayChoose && (
    <div class="actions">
      {isChoosing.value ? (
        <>
          <ChooseAll chosen={chosen} shown={shown} />
          <button type="button" onClick={end}>
            Choose none
          </button>
        </>
      ) : (
        <button
          type="button"
          onClick={() => {
            isChoosing.value = true;
          }}
        >
          Decide several …
        </button>
      )}
      <Actions of={{ decide }} />
    </div>
  );
  return { actions, columns: mayChoose && isChoosing.value ? [columnOf(chosen.value, choose)] : [] };
}
