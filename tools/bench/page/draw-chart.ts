import { LineChart } from 'echarts/charts';
import {
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
} from 'echarts/components';
import { format, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { whole } from '#tools/shared/command-line.js';

export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** Beside the point. */
  readonly label?: string;
  /** For the description. */
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
  /** `category`: the values themselves, evenly spread, for steps that grow by a factor and may begin with 0. */
  readonly x: { readonly label: string; readonly type: 'value' | 'category' };
  readonly y: { readonly label: string; readonly type: 'value' | 'log' };
  readonly series: readonly Series[];
  /** A range of x. */
  readonly band?: { readonly from: number; readonly to: number; readonly label: string };
  /** One y. */
  readonly level?: { readonly at: number; readonly label: string };
}

use([LineChart, GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TitleComponent, SVGRenderer]);

const STYLES = [
  { color: '#1d4ed8', symbol: 'circle' },
  { color: '#c2410c', symbol: 'rect' },
  { color: '#15803d', symbol: 'triangle' },
  { color: '#7e22ce', symbol: 'diamond' },
];
const LEVEL_COLOUR = '#b91c1c';
const BAND_COLOUR = '#f1e4c8';

/** Draws a chart as SVG, on a background of its own, so that it reads the same on any page. */
export function drawChart(chart: Chart): string {
  const { title, series, x, y } = chart;
  const points = series.flatMap((one) => one.points);
  const steps = [...new Set(points.map((point) => point.x))].sort((one, other) => one - other);
  const marks = marksOf(chart);
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width: 760, height: 430 });
  drawing.setOption({
    ...{ animation: false, backgroundColor: '#ffffff' },
    title: { text: title, left: 20, top: 14, textStyle: { fontSize: 16 } },
    legend: {
      ...{ left: 16, right: 16, top: 44, itemGap: 24 },
      data: [...series.map(({ name }) => ({ name })), ...marks.map(({ name }) => ({ name, icon: 'rect' }))],
    },
    grid: { left: 66, right: 32, top: 136, bottom: 56, outerBoundsMode: 'none' },
    xAxis: {
      ...{ type: x.type, name: x.label, nameLocation: 'middle' },
      ...(x.type === 'category' ? { data: steps.map(whole) } : {}),
    },
    yAxis: { type: y.type, logBase: 2, name: y.label, nameTextStyle: { align: 'left' } },
    series: [...marks, ...series.map((one) => lineOf(one, x.type))],
  });
  const svg = drawing.renderToSVGString();
  drawing.dispose();
  const head = `role="img" aria-labelledby="title description">
<title id="title">${format.encodeHTML(title)}</title>
<desc id="description">${format.encodeHTML(points.map((point) => point.title).join('; '))}</desc>`;
  // Classes and ids count the charts of the process: without them, the same figures draw the same file.
  const drawn = svg.replaceAll(/<style .*<\/style>\n| class="\S+"/gs, '').replaceAll(/\bzr\d+-/g, '');
  return `${drawn.replace('>', ` ${head}`)}\n`;
}

function lineOf({ name, points, style, isDashed }: Series, xType: Chart['x']['type']) {
  const { color, symbol } = STYLES[style % STYLES.length] ?? {};
  return {
    ...{ type: 'line', name, symbol, symbolSize: 8 },
    lineStyle: { color, type: isDashed ? 'dashed' : 'solid' },
    itemStyle: { color: isDashed ? '#ffffff' : color, borderColor: color, borderWidth: 1.5 },
    data: points.map(({ x, y, label }) => ({
      value: [xType === 'category' ? whole(x) : x, y],
      label: { show: label !== undefined, position: 'top', formatter: label ?? '' },
    })),
  };
}

/** The band and the level, each on an invisible line: so that the axes reach to it. */
function marksOf({ series, band, level }: Chart) {
  const { x = 0, y = 1 } = series[0]?.points[0] ?? {};
  const hidden = (name: string, color: string) => ({
    ...{ type: 'line', name, symbol: 'none', lineStyle: { opacity: 0 }, itemStyle: { color } },
  });
  const bands = band && {
    ...hidden(band.label, BAND_COLOUR),
    data: [band.from, band.to].map((at) => [at, y]),
    markArea: {
      ...{ itemStyle: { color: BAND_COLOUR, borderColor: BAND_COLOUR, borderWidth: 2 } },
      data: [[{ xAxis: band.from }, { xAxis: band.to }]],
    },
  };
  const levels = level && {
    ...hidden(level.label, LEVEL_COLOUR),
    data: [[x, level.at]],
    markLine: {
      ...{ symbol: 'none', label: { show: false }, lineStyle: { color: LEVEL_COLOUR } },
      data: [{ yAxis: level.at }],
    },
  };
  return [bands, levels].filter((mark) => mark !== undefined);
}
