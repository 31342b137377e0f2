import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchRow, spread, takeTurns } from '../../scripts/bench/measure.ts';
import { classifyMailHosts, matchName, noneSuspected, suggestDomain } from '../../scripts/lists/shipped.ts';
import { type LookedUp, underRules } from '../../src/domain/answer/observed.ts';
import { createLists } from '../../src/domain/lists/lists.ts';
import { NO_RULES } from '../../src/domain/rules/rules.ts';
import { ModelCircuit } from '../../src/domain/screening/model.ts';
import { newId } from '../../src/kernel/ids.ts';
import { label, type ScreeningSubject } from '../../src/services/screening/label.ts';
import { type LookUpDeps, lookUp, subjectOf } from '../../src/services/verification/observe.ts';
import { readCases } from './cases.ts';

const DATA = join(import.meta.dirname, '../../src/domain/lists/data');
/** People at a consumer provider, at a company no list names, and at a domain mistyped. */
const DOMAINS = ['gmail.com', 'keller-maschinenbau.de', 'gmial.com'];
/** Parts of a millisecond are timed: enough of them a round that the clock does not matter. */
const PER_ROUND = 600;

const NOW = 0;
const op = {
  organisationId: newId('org', NOW),
  startedAt: NOW,
  mode: 'live',
} as const;

/** A subject before its facts are derived from the look-ups. */
type Unlabelled = Omit<ScreeningSubject, 'facts'> & { readonly lookedUp: LookedUp };

/**
 * What the code of a screening takes, without model, DNS and object: the whole of `underRules` and `label`, for names that fit the
 * address and for names of other people, on `name-matching.json`.
 */
export async function run(folder: string): Promise<BenchRow[]> {
  const data = (name: string): Uint8Array => readFileSync(join(DATA, `${name}.bin`));
  const lists = createLists({ domains: data('domains'), names: data('names') });
  const local: LookUpDeps = {
    lists,
    findMailHosts: async () => ({ kind: 'found', hosts: ['mx.keller-maschinenbau.de'], implicit: false }),
    classifyMailHosts,
    suggestDomain,
    backEnds: noneSuspected(lists),
    freshLists: async () => undefined,
    hashAddress: () => '',
  };
  const deps = {
    lists,
    matchName,
    model: {
      backend: null,
      circuit: new ModelCircuit(),
      now: () => NOW,
      defer: () => undefined,
      cache: { get: async () => null, put: async () => undefined },
      counters: { add: () => undefined },
    },
  };
  const people = readCases(folder, 'name-matching').flatMap(({ input, expected }) => {
    const { first, last } = expected as { first?: string; last?: string };
    return first === undefined || last === undefined ? [] : [{ input, name: `${first} ${last}` }];
  });
  const subjects = (shift: number): Promise<Unlabelled[]> =>
    Promise.all(
      people.slice(0, PER_ROUND).map(async ({ input }, i): Promise<Unlabelled> => {
        const email = `${input.split('@', 1)[0]}@${DOMAINS[i % DOMAINS.length]}`;
        const name = people[(i + shift) % people.length]?.name ?? null;
        const lookedUp = await lookUp(local, op, { subject: subjectOf(local, op, email), name, deadlineMs: NOW });
        return { organisationId: op.organisationId, email, name, mode: 'live', isReached: true, lookedUp };
      }),
    );
  const timed = (many: readonly Unlabelled[]) => async (): Promise<number> => {
    const started = performance.now();
    for (const { lookedUp, ...subject } of many)
      await label(deps, { ...subject, facts: underRules(lookedUp, NO_RULES) });
    return ((performance.now() - started) * 1_000) / many.length;
  };
  const contestants = { 'name fits': timed(await subjects(0)), 'name of another': timed(await subjects(31)) };
  // Warms up.
  await takeTurns(contestants, 1);
  return Object.entries(await takeTurns(contestants)).map(([kind, times]) => {
    const { median: value, range } = spread(times);
    return { name: `a screening’s code, ${kind}`, value, range, unit: 'µs', target: { atMost: 150 } };
  });
}
