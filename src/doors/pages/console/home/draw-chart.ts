import uPlot from 'uplot';
import { moneyText } from '../client/money-text.ts';
import type { Currency } from '../generated/home.ts';
import { locale } from '../shared/words.ts';
import type { DailySales } from './figures.ts';

const HEIGHT = 150;
const dayNames = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** The place that the name of a day takes. */
const NAME_WIDTH = 6.4 * dayNames.format(Date.UTC(2026, 10, 29)).length + 6;
const briefMoney = (currency: Currency) =>
  new Intl.NumberFormat(locale, {
    notation: 'compact',
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });

const colorOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * Draws one bar for each day, and draws again when the width or the colour scheme changes. Returns the removal of the
 * chart.
 */
export function drawChart(target: HTMLElement, { currency, days }: DailySales): () => void {
  const data: uPlot.AlignedData = [days.map(({ from }) => Date.parse(from) / 1_000), days.map(({ amount }) => amount)];
  const draw = () => new uPlot(optionsFor(target.clientWidth, currency), data, target);
  let plot = draw();
  const redraw = () => {
    plot.destroy();
    plot = draw();
  };
  const width = new ResizeObserver(() => {
    if (target.clientWidth !== plot.width) redraw();
  });
  width.observe(target);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', redraw);
  return () => {
    width.disconnect();
    scheme.removeEventListener('change', redraw);
    plot.destroy();
  };
}

function optionsFor(width: number, currency: Currency): uPlot.Options {
  const brief = briefMoney(currency);
  const [ink, line, bar] = ['--muted', '--line', '--mark'].map(colorOf) as [string, string, string];
  const font = `12px ${colorOf('--font')}`;
  return {
    width,
    height: HEIGHT,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: (_plot, min, max) => [min - 43_200, max + 43_200] },
      y: { range: (_plot, _min, max) => [0, max || 1] },
    },
    axes: [
      {
        stroke: ink,
        font,
        grid: { show: false },
        ticks: { show: false },
        space: 64,
        size: 26,
        values: (_plot, splits) => splits.map((second) => dayNames.format(second * 1_000)),
        splits: (_plot, _axis, min, max) => {
          const first = Math.ceil(min / 86_400) * 86_400;
          const days = Math.floor((max - first) / 86_400) + 1;
          // Every third day has its name, where the names do not touch.
          const step = (3 * (width - 90)) / days < NAME_WIDTH ? 6 : 3;
          return Array.from({ length: days }, (_, n) => first + n * 86_400).filter((_, n) => n % step === 1);
        },
      },
      {
        stroke: ink,
        font,
        // German writes 500.000 $ in full.
        size: (_plot, values) => Math.max(52, ...(values ?? []).map((value) => 12 + 7 * value.length)),
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        values: (_plot, splits) =>
          splits.map((amount) => (amount === 0 ? moneyText(0, currency).replace(/[.,]00/, '') : brief.format(amount))),
      },
    ],
    series: [
      {},
      { fill: bar, width: 0, points: { show: false }, paths: uPlot.paths.bars!({ size: [0.62, 40], radius: 0.18 }) },
    ],
  };
}
