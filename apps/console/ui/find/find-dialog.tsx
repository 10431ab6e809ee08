import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect } from 'preact/hooks';
import type { Reads, Schemas } from '../api/api.js';
import { type Resource, useResource } from '../api/resource.js';
import { viewedAccount } from '../api/viewed-account.js';
import { formatCountOf } from '../parts/amount.js';
import { Dialog } from '../parts/dialog.js';
import { LoadFault } from '../parts/loaded.js';
import { Time } from '../parts/time.js';
import { route } from '../shell/router.js';
import { addressOf, type Hit, kindText, nameOf } from './results.js';

type Found = Schemas['SearchHits'];

/** After the last key: who types on needs no answer for each. */
const PAUSE_MS = 120;
/** As the API takes it. */
const MOST_CHARACTERS = 255;
const NOTHING: Found = { data: [], has_more: false };

/** The text, once it has stood for a while. */
function useSettled(text: string): string {
  const settled = useSignal(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = text;
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled.value;
}

/** What the dialog shows, with the text that it was looked for by. A newer text ends the request of the one before. */
interface Answer {
  readonly q: string;
  readonly found: Found;
}

const load =
  (q: string) =>
  async ({ get }: Reads): Promise<Answer> => {
    if (q === '') return { q, found: NOTHING };
    return { q, found: await get('/search', { params: { query: { q } } }) };
  };

function statusOf(typed: string, { body, isLoading }: Resource<Answer>): string {
  if (typed === '')
    return 'Users and wagers by any part, wagers also by their whole event; bets, transactions and log events by number.';
  if (body?.q !== typed) return isLoading ? 'Searching …' : '';
  const { data, has_more } = body.found;
  if (data.length === 0) return has_more ? 'No match among the newest. Type more of it.' : 'Nothing has this name.';
  const count = formatCountOf(data.length, 'result');
  return has_more ? `${count}, and there may be more` : count;
}

interface OptionProps {
  readonly hit: Hit;
  readonly id: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onOpen: () => void;
}

function Option({ hit, id, isChosen, onChoose, onOpen }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field keeps the focus, and its keys choose and open
    <div id={id} role="option" tabIndex={-1} aria-selected={isChosen} onMouseMove={onChoose} onClick={onOpen}>
      <span class="tag">{kindText[hit.kind]}</span>
      <span>
        <bdi>{nameOf(hit)}</bdi>{' '}
        <small>
          <bdi>{hit.detail === hit.reference ? null : hit.detail}</bdi>
        </small>
      </span>
      <small>
        <Time at={hit.created_at} short />
      </small>
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

interface Choosing {
  readonly hits: readonly Hit[];
  readonly chosen: Signal<number>;
  readonly onEnter: () => void;
}

const choosing =
  ({ hits, chosen, onEnter }: Choosing) =>
  (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.isComposing || (step === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    if (step === undefined) onEnter();
    else if (hits.length > 0) chosen.value = (chosen.value + step + hits.length) % hits.length;
  };

interface FindInputProps {
  readonly text: string;
  readonly listId: string;
  /** Undefined: there is nothing to choose. */
  readonly chosenId: string | undefined;
  readonly onText: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const FindInput = ({ text, listId, chosenId, onText, onKeyDown }: FindInputProps) => (
  <input
    type="text"
    role="combobox"
    aria-label="Name, reference or number"
    aria-autocomplete="list"
    aria-expanded={chosenId !== undefined}
    aria-controls={listId}
    aria-activedescendant={chosenId}
    autoComplete="off"
    spellcheck={false}
    maxLength={MOST_CHARACTERS}
    value={text}
    onInput={({ currentTarget }) => onText(currentTarget.value)}
    onKeyDown={onKeyDown}
  />
);

interface HitListProps {
  readonly id: string;
  readonly optionId: (index: number) => string;
  readonly hits: readonly Hit[];
  readonly chosen: Signal<number>;
  readonly isBusy: boolean;
  readonly onOpen: (hit: Hit) => void;
}

const HitList = ({ id, optionId, hits, chosen, isBusy, onOpen }: HitListProps) => (
  <div id={id} class="hits" role="listbox" aria-label="Matches" aria-busy={isBusy} hidden={hits.length === 0}>
    {hits.map((hit, index) => (
      <Option
        key={`${hit.kind} ${hit.id}`}
        hit={hit}
        id={optionId(index)}
        isChosen={index === chosen.value}
        onChoose={() => {
          chosen.value = index;
        }}
        onOpen={() => onOpen(hit)}
      />
    ))}
  </div>
);

export function FindDialog({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const text = useSignal('');
  const chosen = useSignal(0);
  /** Enter came before the answer: the first hit opens when it is there. */
  const isAwaited = useSignal(false);
  const typed = text.value.trim();
  const settled = useSettled(typed);
  const answer = useResource(load(settled), [settled, viewedAccount.value], { isKept: true });
  const isCurrent = answer.body?.q === typed;
  const hits = answer.body?.found.data ?? [];

  const open = (hit: Hit | undefined) => {
    if (hit === undefined) return;
    onClose();
    route(addressOf(hit));
  };
  const onEnter = () => {
    if (isCurrent) open(hits[chosen.value]);
    else isAwaited.value = typed !== '';
  };
  useLayoutEffect(() => {
    chosen.value = 0;
    if (isAwaited.value && isCurrent) open(hits[0]);
    if (isCurrent) isAwaited.value = false;
  }, [answer.body]);
  useLayoutEffect(() => {
    document.getElementById(`${id}-${chosen.value}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen.value]);

  return (
    <Dialog title="Find" onClose={onClose}>
      <FindInput
        text={text.value}
        listId={`${id}-list`}
        chosenId={hits.length > 0 ? `${id}-${chosen.value}` : undefined}
        onText={(typedNow) => {
          text.value = typedNow;
          isAwaited.value = false;
        }}
        onKeyDown={choosing({ hits, chosen, onEnter })}
      />
      {answer.error !== undefined && <LoadFault error={answer.error} onRetry={answer.reload} isRetried />}
      <HitList
        id={`${id}-list`}
        optionId={(index) => `${id}-${index}`}
        hits={hits}
        chosen={chosen}
        isBusy={!isCurrent}
        onOpen={open}
      />
      <p class="aside" role="status">
        {statusOf(typed, answer)}
      </p>
    </Dialog>
  );
}
