import { type Box, boxAround, takeSpot } from './label-spots.js';
import type { Scale } from './scale.js';

export interface Axis {
  readonly label: string;
  readonly scale: Scale;
}

export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** Beside the point. */
  readonly label?: string;
  /** Shown when the pointer is over the point. */
  readonly title: string;
}

export interface Series {
  readonly name: string;
  readonly points: readonly ChartPoint[];
  /** Selects the colour and the mark; series that belong together share a style. */
  readonly style: number;
  readonly isDashed?: boolean;
}

export interface Chart {
  readonly title: string;
  /** For screen readers. */
  readonly description: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** A range of x. */
  readonly band?: { readonly from: number; readonly to: number; readonly label: string };
  /** One y. */
  readonly level?: { readonly at: number; readonly label: string };
}

const [WIDTH, HEIGHT] = [760, 430];
const PLOT: Box = { left: 66, top: 112, width: 666, height: 254 };
/** Texts on the plot may reach a little beyond it. */
const LABELS: Box = { left: PLOT.left, top: PLOT.top - 22, width: PLOT.width + 16, height: PLOT.height + 22 };
const BOTTOM = PLOT.top + PLOT.height;
const RIGHT = PLOT.left + PLOT.width;
const LEGEND = { left: 24, top: 56, line: 18, gap: 20, swatch: 34 };
const AXIS_LABEL_Y = PLOT.top - 14;
const TEXT_HEIGHT = 14;
/** The approximate width of a letter in the small size. */
const LETTER_WIDTH = 6.6;
const POINT_RADIUS = 5;
const BAND = '#f1e4c8';
const COLOURS = ['#1d4ed8', '#c2410c', '#15803d', '#7e22ce'];

const STYLE = `<style>
text { font: 12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; fill: #52525b; }
.title { font-size: 16px; font-weight: 600; fill: #18181b; }
.on-plot { fill: #27272a; paint-order: stroke; stroke: #ffffff; stroke-width: 3px; stroke-linejoin: round; }
</style>`;

/** A chart on a light card of its own, so that it reads the same on any page. */
export function drawChart(chart: Chart): string {
  const drawing = new Drawing(chart);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeXml(chart.title)}</title>`,
    `<desc id="description">${escapeXml(chart.description)}</desc>`,
    STYLE,
    `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="8" fill="#ffffff" stroke="#d4d4d8"/>`,
    text(chart.title, { x: LEGEND.left, y: 34, type: 'title' }),
    ...drawLegend(chart),
    ...drawing.axes(),
    ...drawing.marks(),
    ...drawing.labels(),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

const escapeXml = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const colourOf = ({ style }: Series) => COLOURS[style % COLOURS.length] ?? '';
const widthOf = (value: string) => value.length * LETTER_WIDTH;
const round = (value: number) => Number(value.toFixed(1));

interface Place {
  readonly x: number;
  readonly y: number;
}

interface TextOptions extends Place {
  readonly anchor?: 'middle' | 'end';
  readonly type?: 'title' | 'on-plot';
}

function text(value: string, { x, y, anchor, type }: TextOptions): string {
  const attributes = [
    ...(type === undefined ? [] : [`class="${type}"`]),
    ...[`x="${round(x)}"`, `y="${round(y)}"`],
    ...(anchor === undefined ? [] : [`text-anchor="${anchor}"`]),
  ];
  return `<text ${attributes.join(' ')}>${escapeXml(value)}</text>`;
}

function drawLegend({ series, band }: Chart): string[] {
  let { left: x, top: y } = LEGEND;
  const entry = (name: string, swatch: (from: Place) => string) => {
    const width = LEGEND.swatch + widthOf(name);
    if (x + width > WIDTH - LEGEND.left) [x, y] = [LEGEND.left, y + LEGEND.line];
    const from = { x: round(x), y };
    x += width + LEGEND.gap;
    return [swatch(from), text(name, { x: from.x + LEGEND.swatch, y: y + 4 })];
  };
  return [
    ...series.flatMap((one) =>
      entry(
        one.name,
        (from) => drawLine(one, [from, { ...from, x: from.x + 26 }]) + drawMark(one, { ...from, x: from.x + 13 }),
      ),
    ),
    ...(band === undefined
      ? []
      : entry(band.label, (from) => rectangle({ left: from.x, top: from.y - 6, width: 26, height: 12 }, BAND))),
  ];
}

function drawLine(series: Series, places: readonly Place[]): string {
  const path = places.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L');
  const dash = series.isDashed ? ' stroke-dasharray="6 4"' : '';
  return `<path d="M${path}" fill="none" stroke="${colourOf(series)}" stroke-width="2"${dash}/>`;
}

/** The marks differ by shape too, for readers who do not distinguish the colours. */
function drawMark(series: Series, { x, y }: Place, title = ''): string {
  const fill = `fill="${series.isDashed ? '#ffffff' : colourOf(series)}" stroke="${colourOf(series)}" stroke-width="1.5"`;
  const content = title === '' ? '' : `<title>${escapeXml(title)}</title>`;
  const [cx, cy] = [round(x), round(y)];
  switch (series.style % COLOURS.length) {
    case 0:
      return `<circle cx="${cx}" cy="${cy}" r="4" ${fill}>${content}</circle>`;
    case 1:
      return `<rect x="${round(x - 3.5)}" y="${round(y - 3.5)}" width="7" height="7" ${fill}>${content}</rect>`;
    case 2:
      return `<path d="M${cx} ${round(y - 5)}l5 8.5h-10z" ${fill}>${content}</path>`;
    default:
      return `<path d="M${cx} ${round(y - 5)}l5 5l-5 5l-5 -5z" ${fill}>${content}</path>`;
  }
}

/** Maps the figures of a chart to places in the drawing. */
class Drawing {
  readonly #chart: Chart;
  /** Areas that no text may cover. */
  readonly #taken: Box[];

  constructor(chart: Chart) {
    this.#chart = chart;
    const points = chart.series.flatMap((series) => series.points);
    this.#taken = points.map((point) => boxAround(this.#x(point.x), this.#y(point.y), POINT_RADIUS));
  }

  #x(value: number): number {
    return PLOT.left + this.#chart.x.scale.place(value) * PLOT.width;
  }

  #y(value: number): number {
    return BOTTOM - this.#chart.y.scale.place(value) * PLOT.height;
  }

  axes(): string[] {
    const { x, y, band } = this.#chart;
    const rows = y.scale.ticks.flatMap(({ at, text: label }) => [
      `<path d="M${PLOT.left} ${round(this.#y(at))}H${RIGHT}" stroke="#e4e4e7"/>`,
      text(label, { x: PLOT.left - 8, y: this.#y(at) + 4, anchor: 'end' }),
    ]);
    const columns = x.scale.ticks.flatMap(({ at, text: label }) => [
      `<path d="M${round(this.#x(at))} ${BOTTOM}v5" stroke="#a1a1aa"/>`,
      text(label, { x: this.#x(at), y: BOTTOM + 20, anchor: 'middle' }),
    ]);
    const [from, to] = band === undefined ? [0, 0] : [this.#x(band.from), this.#x(band.to)];
    return [
      ...(band === undefined ? [] : [rectangle({ ...PLOT, left: from, width: Math.max(2, to - from) }, BAND)]),
      ...rows,
      ...columns,
      `<path d="M${PLOT.left} ${BOTTOM}H${RIGHT}" stroke="#a1a1aa"/>`,
      text(y.label, { x: LEGEND.left, y: AXIS_LABEL_Y }),
      text(x.label, { x: PLOT.left + PLOT.width / 2, y: BOTTOM + 44, anchor: 'middle' }),
    ];
  }

  /** The level, the lines and the points. */
  marks(): string[] {
    const { series, level } = this.#chart;
    const lines = series.map((one) =>
      drawLine(
        one,
        one.points.map(({ x, y }) => ({ x: this.#x(x), y: this.#y(y) })),
      ),
    );
    const points = series.flatMap((one) =>
      one.points.map(({ x, y, title }) => drawMark(one, { x: this.#x(x), y: this.#y(y) }, title)),
    );
    if (level === undefined) return [...lines, ...points];
    const y = round(this.#y(level.at));
    return [`<path d="M${PLOT.left} ${y}H${RIGHT}" stroke="#b91c1c" stroke-dasharray="2 3"/>`, ...lines, ...points];
  }

  /** Each label stands where it covers nothing. */
  labels(): string[] {
    const { series, level } = this.#chart;
    const labels: string[] = [];
    for (const { x, y, label } of series.flatMap((one) => one.points)) {
      if (label !== undefined) labels.push(this.#label(label, beside(this.#x(x), this.#y(y), widthOf(label))));
    }
    if (level !== undefined) {
      const y = this.#y(level.at);
      const ends = [PLOT.left + 6 + widthOf(level.label) / 2, RIGHT - 6 - widthOf(level.label) / 2];
      labels.push(
        this.#label(
          level.label,
          [y - 9, y + 10].flatMap((at) => ends.map((x) => ({ x, y: at }))),
        ),
      );
    }
    return labels;
  }

  #label(value: string, centres: readonly Place[]): string {
    const width = widthOf(value);
    const [first, ...others] = centres.map(({ x, y }) => ({
      ...{ left: x - width / 2, top: y - TEXT_HEIGHT / 2, width, height: TEXT_HEIGHT },
    }));
    if (first === undefined) return '';
    const spot = takeSpot([first, ...others], LABELS, this.#taken);
    const centre = { x: spot.left + width / 2, y: spot.top + TEXT_HEIGHT - 3 };
    return text(value, { ...centre, anchor: 'middle', type: 'on-plot' });
  }
}

const beside = (x: number, y: number, width: number): Place[] => {
  const aside = width / 2 + POINT_RADIUS + 3;
  return [
    { x, y: y - 14 },
    { x: x + aside, y },
    { x: x - aside, y },
    { x, y: y + 14 },
  ];
};

const rectangle = ({ left, top, width, height }: Box, fill: string): string =>
  `<rect x="${round(left)}" y="${top}" width="${round(width)}" height="${height}" fill="${fill}"/>`;
