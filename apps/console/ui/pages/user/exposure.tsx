import type { Schemas } from '../../api/api.js';
import { BarChart } from '../../parts/bar-chart.js';
import { Pager } from '../../parts/pager.js';
import { Section } from '../../parts/section.js';
import { wagerAddress } from '../ledger/tags.js';

export interface ExposureProps {
  readonly positions: Schemas['PositionPage'];
  readonly onMove: (cursor: string) => void;
}

/** What each wager can still cost the user. */
export function Exposure({ positions: { data, next, previous }, onMove }: ExposureProps) {
  return (
    <Section title="Exposure by wager">
      {data.length === 0 ? (
        <p class="empty">No open bet: nothing is at risk.</p>
      ) : (
        <BarChart
          title="Largest possible loss of each wager"
          of="Wager"
          unit="Exposure"
          bars={data.map(({ wager_reference, exposure }) => ({
            label: wager_reference,
            value: exposure,
            href: wagerAddress(wager_reference),
          }))}
        />
      )}
      <Pager page={{ next, previous }} onMove={onMove} />
    </Section>
  );
}
