import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchRow, printRows } from '../../scripts/bench/measure.ts';
import { commandLine } from '../../scripts/command-line.ts';
import { installed } from '../../scripts/lists/sources.ts';
import { createLists } from '../../src/domain/lists/lists.ts';
import { seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import { readCases } from '../screening/cases.ts';
import { type Found, type Offered, simulate, type World } from './simulation.ts';

const DATA = join(import.meta.dirname, '../../src/domain/lists/data');

/** A low and a high guess for each share; the first world has the middle of all. */
const WORLDS: readonly World[] = [
  { name: 'middle', ownHosts: 0.7, neverListed: 0.1, shared: 0.3 },
  { name: 'few own hosts', ownHosts: 0.3, neverListed: 0.1, shared: 0.3 },
  { name: 'all own hosts', ownHosts: 1, neverListed: 0.1, shared: 0.3 },
  { name: 'lists miss none', ownHosts: 0.7, neverListed: 0, shared: 0.3 },
  { name: 'lists miss a third', ownHosts: 0.7, neverListed: 0.33, shared: 0.3 },
  { name: 'one organisation', ownHosts: 0.7, neverListed: 0.1, shared: 0 },
  { name: 'most domains shared', ownHosts: 0.7, neverListed: 0.1, shared: 0.8 },
  { name: 'at 100 small hosting companies', ownHosts: 0.7, neverListed: 0.1, shared: 0.3, favoured: 100 },
  { name: 'at 30 small hosting companies', ownHosts: 0.7, neverListed: 0.1, shared: 0.3, favoured: 30 },
];

/** The installed list of what throwaway services offer, with the service and when it was first seen there. */
function readOffered(): Offered[] {
  const { domains } = JSON.parse(installed('fakefilter').text('json/data.json')) as {
    domains: Readonly<Record<string, { readonly provider: string; readonly firstseen: number }>>;
  };
  return Object.entries(domains)
    .filter(([, { provider }]) => provider !== 'static')
    .sort(([, one], [, other]) => one.firstseen - other.firstseen)
    .map(([domain, { provider }]) => ({ domain, service: provider }));
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);

function rowsOf(found: readonly Found[]): BenchRow[] {
  const sum = (field: keyof Found): number => found.reduce((total, each) => total + each[field], 0);
  const recall = (suspected: keyof Found, unlisted: keyof Found) => ({
    value: share(sum(suspected), sum(unlisted)),
    unit: '%',
    note: `of ${sum(unlisted)}`,
  });
  return [
    { name: 'unlisted throwaway domains suspected', ...recall('suspected', 'unlisted') },
    { name: '… of those on the service’s own hosts', ...recall('suspectedAtOwn', 'unlistedAtOwn') },
    {
      name: 'real domains the lists know, suspected',
      value: sum('knownSuspected'),
      unit: '',
      target: { atMost: 0 },
      note: `of ${sum('known')}`,
    },
    { name: 'real domains no list knows, suspected', ...recall('unknownSuspected', 'unknown'), target: { atMost: 0 } },
  ];
}

/** Measures how many throwaway domains are recognised by their mail hosts before a list has them, and how many real domains are suspected. */
export const mailHosts = commandLine('mail-hosts', 'Tells unlisted throwaway domains by the mail hosts they share.')
  .requiredOption('--cases <folder>', 'where the case files are: real domains are read from it')
  .option('--draws <number>', 'worlds drawn of each kind', '10')
  .action(({ cases, draws }: { cases: string; draws: string }) => {
    const lists = createLists({
      domains: readFileSync(join(DATA, 'domains.bin')),
      names: readFileSync(join(DATA, 'names.bin')),
    });
    const offered = readOffered();
    const real = readCases(cases, 'legit-domains').map(({ input }) => input);
    console.log(
      'Who shares a service is real, which domains share mail hosts is made up: no real MX record is at hand.',
    );
    for (const [number, world] of WORLDS.entries()) {
      const found = Array.from({ length: Number(draws) }, (_, draw) =>
        simulate(world, offered, real, lists, seededRandom(seedOf(number, draw))),
      );
      const { name, ownHosts, neverListed, shared } = world;
      printRows(`${name}: own hosts ${ownHosts}, never listed ${neverListed}, shared ${shared}`, rowsOf(found));
    }
  });
