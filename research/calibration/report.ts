import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { METHODS, PANELS } from './belief-scores.ts';
import {
  costsIn,
  type Figure,
  figuresOf,
  fitRatio,
  fitsIn,
  type Measured,
  mean,
  overLimit,
  overOptimum,
  ratioIn,
  reaches,
} from './figures.ts';
import { FIT_NAMES } from './fit-scores.ts';
import { PURPOSES, vendorPolicy } from './population-scores.ts';
import { totalOfCosts } from './spending.ts';

const POLICIES = [
  'optimum',
  'engine, true parameters',
  'engine',
  'engine, fitted',
  'no vendor asked',
  'all seven, average',
  'all seven, majority',
  ...PROVIDER_IDS.map(vendorPolicy),
];

const sizeOf = (populations: Measured['near']): string => (populations[0]?.addresses ?? 0).toLocaleString('en');

/** What a reader must know before the numbers. */
const header = ({
  near,
  counts,
  reuse,
}: Measured): string => `Simulated populations: ${near.length} near the table, ${sizeOf(near)} addresses each, one domain an address; ${counts.length} drawn from its counts,
${sizeOf(counts)} each; ${reuse.length} more whose addresses share domains.

What this shows, and what not. The parameters of a population are the very figures the service starts with, each moved by up to
0.5 in log-odds (all refused shares of a population together). So it shows what the engine makes of few and correlated answers
when its table is about right. Only outcomes can show whether it is right about real addresses.
The populations keep the belief's one assumption, that all providers look at one answer of the mail server, and break another:
in each, two to five vendors share an engine and report one and the same probe for 20 to 90 % of the addresses.
Every score is against the exact posterior of the population given the same answers; its own entropy is the limit, 1.000.
Fitted: to the past of an account that the unfitted service served. Its router chose who is asked, and only what it said to
send has an outcome. Drift: half of the outcomes are from before every parameter was drawn again, over 180 days in all. A fit
is scored whether the service would adopt it or not.
Costs leave failures and outages out. Total: what vendors bill, the value of the time taken, the loss of the decision.`;

const row = (name: string, cells: readonly string[]): string =>
  `  ${name.padEnd(28)}${cells.map((cell) => cell.padStart(16)).join('')}`;
const ratio = (values: readonly number[]): string => `${mean(values).toFixed(3)} (${Math.max(...values).toFixed(3)})`;

function beliefTable({ near }: Measured): string {
  const lines = METHODS.map((method) =>
    row(method, [
      ...PANELS.map((panel) => ratio(near.map((population) => ratioIn(population, method, [panel])))),
      ratio(near.map((population) => ratioIn(population, method))),
    ]),
  );
  return [
    'Cross-entropy over the limit, mean (worst) of the populations, judged from the answers of:',
    row('', [...PANELS.map((panel) => (panel === 'asked' ? 'whom it asked' : panel)), 'all']),
    ...lines,
  ].join('\n');
}

function vendorTable({ near }: Measured): string {
  const lines = PROVIDER_IDS.map((id) =>
    row(id, [
      ratio(near.map(({ beliefs }) => overLimit(beliefs.vendors[id].fixed))),
      ratio(near.map(({ beliefs }) => overLimit(beliefs.vendors[id].engine))),
    ]),
  );
  return ['The same from one vendor’s word:', row('', ['fixed mapping', 'engine']), ...lines].join('\n');
}

/** The fits beside the table, on the same addresses and answers. */
function fitTable({ near }: Measured): string {
  const columns = [...PANELS.map((panel) => (panel === 'asked' ? 'whom it asked' : panel)), 'all'];
  const unfitted = row('unfitted', [
    ...PANELS.map((panel) => ratio(near.map((population) => ratioIn(population, 'engine', [panel])))),
    ratio(near.map((population) => ratioIn(population, 'engine'))),
  ]);
  const lines = FIT_NAMES.map((name) => {
    const fits = fitsIn(near, name).map(({ fit }) => fit);
    return row(`fitted on ${name}`, [
      ...PANELS.map((panel) => ratio(fits.map((fit) => fitRatio(fit, [panel])))),
      ratio(fits.map((fit) => fitRatio(fit))),
    ]);
  });
  return ['The same of fits to an account’s past, by its outcomes:', row('', columns), unfitted, ...lines].join('\n');
}

/** Dollars for 1,000 addresses. */
const perThousand = ({ near }: Measured, of: (population: Measured['near'][number]) => number): string =>
  mean(near.map((population) => (1_000 * of(population)) / population.addresses)).toFixed(2);

function costTable(measured: Measured): string {
  const part = (purpose: (typeof PURPOSES)[number]): string[] => [
    row(purpose, ['spend', 'time', 'decision loss', 'total', 'over optimum']),
    ...POLICIES.map((policy) =>
      row(`  ${policy}`, [
        perThousand(measured, (population) => costsIn(population, purpose, policy).spend),
        perThousand(measured, (population) => costsIn(population, purpose, policy).time),
        perThousand(measured, (population) => costsIn(population, purpose, policy).loss),
        perThousand(measured, (population) => totalOfCosts(costsIn(population, purpose, policy))),
        ratio(measured.near.map((population) => overOptimum(population, purpose, policy))),
      ]),
    ),
  ];
  return ['Dollars for 1,000 addresses, and total over the exact optimum’s:', ...PURPOSES.flatMap(part)].join('\n');
}

function figureLine(figure: Figure): string {
  const { name, value, atLeast, atMost, note = '' } = figure;
  const mark = { true: '✓', false: '✗', null: ' ' }[`${reaches(figure)}`];
  const bound = [atLeast === undefined ? '' : `≥ ${atLeast}`, atMost === undefined ? '' : `≤ ${atMost}`]
    .join(' ')
    .trim();
  const shown = value >= 10 ? value.toFixed(0) : value.toFixed(4);
  return `${mark} ${name.padEnd(60)}${shown.padStart(8)}  ${bound.padEnd(14)}${note}`.trimEnd();
}

/** The whole run as text. */
export const report = (measured: Measured): string =>
  [
    header(measured),
    beliefTable(measured),
    vendorTable(measured),
    fitTable(measured),
    costTable(measured),
    figuresOf(measured).map(figureLine).join('\n'),
  ].join('\n\n');
