import { byHour } from '../../parts/display.js';
import { later, Nothing } from '../../parts/later.js';
import type { HourlyChartsProps } from './hourly-charts.js';

const HourlyCharts = later<HourlyChartsProps>(async () => (await import('./hourly-charts.js')).HourlyCharts, Nothing);

/** What was matched, settled and at risk by hour: loaded once it is open, which the browser remembers. */
export const ByHour = (props: HourlyChartsProps) => (
  <section class="section">
    <details
      class="by-hour"
      open={byHour.value === 'open'}
      onToggle={({ currentTarget }) => {
        byHour.value = currentTarget.open ? 'open' : 'closed';
      }}
    >
      <summary>
        <h2>By hour</h2>
      </summary>
      {byHour.value === 'open' && <HourlyCharts {...props} />}
    </details>
  </section>
);
