import type { Page } from 'playwright-core';
import { type BenchRow, figure, printRows, spread } from './bench/measure.ts';
import { commandLine, wholeNumber } from './command-line.ts';
import { openChromium } from './dashboard/chromium.ts';
import { signInDemo } from './dashboard/demo-person.ts';
import { type Interaction, watchInteractions } from './dashboard/interactions.ts';

/** `npm run dashboard:speed`: how long a person waits for the next paint in a log with many rows. */
const program = commandLine(
  'dashboard:speed',
  'Interactions in the log of the running local stack that the demo filled, from the input to the next paint.',
)
  .option('--rows <n>', 'rows that are loaded first', wholeNumber(100, 20_000), 10_000)
  .option('--rounds <n>', 'times each is done', wholeNumber(1, 100), 15)
  .option('--state <dir>', 'state of the running stack', '.local')
  .option('--organisation <id>', 'whose log (default: the demo’s)')
  .parse();
const { rows, rounds, ...whose } = program.opts<{
  rows: number;
  rounds: number;
  state: string;
  organisation?: string;
}>();

const MOST_MS = 100;
/** Rows that each press of "Show more" brings. */
const PAGE_ROWS = 100;
const LOOK_MS = 50;

/** What is done, and what undoes it. Each is an interaction of its own. */
const interactionsOf = (page: Page): readonly (readonly [name: string, act: () => Promise<unknown>])[] => {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  return [
    ['open a record by its row', () => page.getByRole('row').nth(3).getByRole('link').click()],
    ['J: the next record', () => page.keyboard.press('j')],
    ['J again', () => page.keyboard.press('j')],
    ['K: the one before', () => page.keyboard.press('k')],
    ['Escape: close the record', () => page.keyboard.press('Escape')],
    ['open the filters', () => button('Filters').click()],
    [
      'set a filter',
      async () => {
        await page.getByRole('combobox', { name: 'Kind', exact: true }).focus();
        await page.keyboard.type('d');
      },
    ],
    ['close the filters', () => page.keyboard.press('Escape')],
    ['take the filter off: all rows are back', () => button('Remove the filter Kind').click()],
    ['End: to the last row', () => page.keyboard.press('End')],
    ['Home: to the first row', () => page.keyboard.press('Home')],
    ['Page down', () => page.keyboard.press('PageDown')],
    ['Home again', () => page.keyboard.press('Home')],
  ];
};

const browser = await openChromium();
try {
  const { page, url } = await signInDemo(program, browser, whose);
  await page.setViewportSize({ width: 1_440, height: 900 });
  const measure = await watchInteractions(page);
  await page.goto(`${url}/log`);
  const more = page.getByRole('button', { name: 'Show more' });
  await more.waitFor();
  // The page is asked by its own script: a locator that waits would search the whole page at each frame.
  const shown = page.getByRole('status').filter({ hasText: 'shown' });
  const count = await shown.elementHandle();
  const loaded = async () => Number((await count?.textContent())?.replaceAll(/\D/g, ''));
  const showMore = async () => {
    const before = await loaded();
    // A key: a click misses a button that moves down with the list.
    await more.press('Enter');
    while ((await loaded()) === before) await page.waitForTimeout(LOOK_MS);
  };
  while ((await loaded()) < rows - rounds * PAGE_ROWS) await showMore();
  const found = new Map<string, Interaction[]>();
  const note = async (name: string, act: () => Promise<unknown>) =>
    found.set(name, [...(found.get(name) ?? []), await measure(act)]);
  // The last pages alone meet a long list.
  while ((await loaded()) < rows) await note('show more', showMore);
  await page.keyboard.press('Home');
  for (let round = 0; round < rounds; round += 1) for (const [name, act] of interactionsOf(page)) await note(name, act);
  const inPage = await page.locator('tr').count();
  printRows(
    `${await loaded()} rows loaded, ${inPage} in the page. To the next paint, the slowest of ${rounds} times; 16 stands for less`,
    [...found].map(([name, times]): BenchRow => {
      const { median, range } = spread(times.map(({ waitMs }) => waitMs));
      const cpu = spread(times.map(({ cpuMs }) => cpuMs));
      const beside = `median ${median}; CPU ${figure(cpu.median)}, at most ${figure(cpu.range[1])}`;
      return { name, value: range[1], unit: 'ms', range, target: { atMost: MOST_MS }, note: beside };
    }),
  );
} finally {
  await browser.close();
}
