import type { Purpose } from '../../src/contract/vocabulary.ts';
import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { circle, line, svg, text } from '../svg.ts';
import type { Bin } from './belief-scores.ts';
import { costsIn, type Measured, mean } from './figures.ts';
import { PURPOSES, THRIFT, thriftPolicy, vendorPolicy } from './population-scores.ts';

const SIZE = 420;
const MARGIN = 56;

/** A square plot with its upper left corner at (left, top); scales take a value to 0..1. */
interface Plot {
  x(value: number): number;
  y(value: number): number;
  readonly frame: readonly string[];
}

interface Axis {
  readonly ticks: readonly number[];
  readonly label: string;
  scale(value: number): number;
}

function plotAt(left: number, top: number, across: Axis, up: Axis, title: string): Plot {
  const x = (value: number): number => left + across.scale(value) * SIZE;
  const y = (value: number): number => top + SIZE - up.scale(value) * SIZE;
  const grid = 'stroke="#ddd"';
  return {
    x,
    y,
    frame: [
      ...across.ticks.flatMap((tick) => [
        line(x(tick), top, x(tick), top + SIZE, grid),
        text(x(tick), top + SIZE + 14, String(tick), 'text-anchor="middle"'),
      ]),
      ...up.ticks.flatMap((tick) => [
        line(left, y(tick), left + SIZE, y(tick), grid),
        text(left - 6, y(tick) + 4, String(tick), 'text-anchor="end"'),
      ]),
      text(left + SIZE / 2, top + SIZE + 32, across.label, 'text-anchor="middle"'),
      text(
        left - 40,
        top + SIZE / 2,
        up.label,
        `text-anchor="middle" transform="rotate(-90 ${left - 40} ${top + SIZE / 2})"`,
      ),
      text(left, top - 10, title, 'font-weight="bold" font-size="13"'),
    ],
  };
}

const logit = (p: number): number => Math.log(p / (1 - p));
const LOGIT_END = logit(0.999);
const logOdds = (label: string): Axis => ({
  ticks: [0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999],
  label,
  scale: (p) => Math.max(0, Math.min(1, (logit(p) / LOGIT_END + 1) / 2)),
});

const SERIES = [
  ['engine', '#0b6e4f'],
  ['naive', '#c1440e'],
  ['average', '#888888'],
] as const;

/** What was predicted against what is exact, in bins over all populations; a dot's area is its share of the predictions. */
export function reliabilityChart({ near }: Measured): string {
  const plot = plotAt(
    MARGIN,
    40,
    logOdds('predicted bounce probability'),
    logOdds('exact bounce probability'),
    'Reliability',
  );
  const dots = SERIES.flatMap(([name, colour], at) => {
    const populations = near.map(({ beliefs }) => beliefs.reliability[name]);
    const bins = (populations[0] ?? []).map((_, bin) =>
      populations.reduce(
        (sum: Bin, population) => ({
          count: sum.count + (population[bin]?.count ?? 0),
          predicted: sum.predicted + (population[bin]?.predicted ?? 0),
          exact: sum.exact + (population[bin]?.exact ?? 0),
          bounced: sum.bounced + (population[bin]?.bounced ?? 0),
        }),
        { count: 0, predicted: 0, exact: 0, bounced: 0 },
      ),
    );
    const all = bins.reduce((sum, { count }) => sum + count, 0);
    return [
      text(MARGIN + 12, 60 + 16 * at, name === 'naive' ? 'naive product' : name, `fill="${colour}" font-weight="bold"`),
      ...bins
        .filter(({ count }) => count > 0)
        .map(({ count, predicted, exact }) =>
          circle(
            plot.x(predicted / count),
            plot.y(exact / count),
            2 + 14 * Math.sqrt(count / all),
            `fill="${colour}" fill-opacity="0.55"`,
          ),
        ),
    ];
  });
  const diagonal = line(
    plot.x(0.001),
    plot.y(0.001),
    plot.x(0.999),
    plot.y(0.999),
    'stroke="#000" stroke-dasharray="4 3"',
  );
  return svg(SIZE + MARGIN + 24, SIZE + 90, [...plot.frame, diagonal, ...dots]);
}

/** Spend against decision loss for 1,000 addresses, a plot for each purpose: the engine as it is made thriftier, and all else. */
export function frontierChart(measured: Measured): string {
  const point = (purpose: Purpose, policy: string): [number, number] => {
    const perThousand = (of: 'spend' | 'loss'): number =>
      mean(
        measured.near.map((population) => (1_000 * costsIn(population, purpose, policy)[of]) / population.addresses),
      );
    return [perThousand('spend'), perThousand('loss')];
  };
  const parts = PURPOSES.flatMap((purpose, at) => {
    const left = MARGIN + at * (SIZE + MARGIN + 24);
    const vendors = PROVIDER_IDS.map(vendorPolicy).sort((a, b) => point(purpose, a)[0] - point(purpose, b)[0]);
    const others = [...vendors, 'all seven, average', 'all seven, majority', 'no vendor asked'];
    const curve = THRIFT.map((factor) => point(purpose, thriftPolicy(factor)));
    const highest = 1.1 * Math.max(...[...others, 'optimum'].map((policy) => point(purpose, policy)[1]));
    const step = 10 ** Math.floor(Math.log10(highest / 2));
    const dollars: Axis = {
      ticks: [0, 0.5, 2, 5, 10, 20, 40],
      label: 'spend, $ for 1,000 addresses (square-root scale)',
      scale: (value) => Math.sqrt(value / 45),
    };
    const losses: Axis = {
      ticks: Array.from({ length: Math.floor(highest / step) + 1 }, (_, tick) => Number((tick * step).toPrecision(2))),
      label: 'decision loss, $ for 1,000 addresses',
      scale: (value) => value / highest,
    };
    const plot = plotAt(left, 40, dollars, losses, purpose);
    // Vendors stand close together: their names rise and fall by turns. What lies to the right is named to its left.
    const mark = (policy: string, colour: string, radius: number, turned = 0): string[] => {
      const [x, y] = [plot.x(point(purpose, policy)[0]), plot.y(point(purpose, policy)[1])];
      const leftward = x > left + 0.7 * SIZE;
      const placed = `text-anchor="${leftward ? 'end' : 'start'}" transform="rotate(${turned} ${x.toFixed(1)} ${y.toFixed(1)})"`;
      return [
        circle(x, y, radius, `fill="${colour}"`),
        text(x + (leftward ? -7 : 7), y + 4, policy.replace('always ', ''), `fill="${colour}" ${placed}`),
      ];
    };
    const path = curve.map(([spend, loss]) => `${plot.x(spend).toFixed(1)},${plot.y(loss).toFixed(1)}`).join(' ');
    return [
      ...plot.frame,
      `<polyline points="${path}" fill="none" stroke="#0b6e4f" stroke-width="2"/>`,
      ...curve.map(([spend, loss]) => circle(plot.x(spend), plot.y(loss), 2.5, 'fill="#0b6e4f"')),
      ...others.flatMap((policy, rank) => mark(policy, '#888888', 3, rank < vendors.length ? 50 * (-1) ** rank : 0)),
      ...mark('engine', '#0b6e4f', 5, -50),
      ...mark('optimum', '#1f4fbf', 4, 50),
    ];
  });
  return svg(PURPOSES.length * (SIZE + MARGIN + 24) + 40, SIZE + 90, parts);
}
