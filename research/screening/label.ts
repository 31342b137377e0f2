import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchRow, spread, takeTurns } from '../../scripts/bench/measure.ts';
import { admission } from '../../scripts/bench/use-case.ts';
import { classifyMailHosts, matchName, noneSuspected, suggestDomain } from '../../scripts/lists/shipped.ts';
import { createLists } from '../../src/domain/lists/lists.ts';
import { ModelCircuit } from '../../src/domain/screening/model/circuit.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Admission } from '../../src/services/admission.ts';
import type { AdmittedRequest } from '../../src/services/caller.ts';
import { label, type ScreeningSubject } from '../../src/services/screening/label.ts';
import {
  type LocalFactsDeps,
  type LookedUp,
  localFacts,
  lookUp,
  subjectOf,
} from '../../src/services/verification/local-facts.ts';
import { readCases } from './cases.ts';

const DATA = join(import.meta.dirname, '../../src/domain/lists/data');
/** People at a consumer provider, at a company no list names, and at a domain mistyped. */
const DOMAINS = ['gmail.com', 'keller-maschinenbau.de', 'gmial.com'];
/** Parts of a millisecond are timed: enough of them a round that the clock does not matter. */
const PER_ROUND = 600;

const NOW = 0;
const op: Pick<AdmittedRequest<Admission>, 'organisationId' | 'mode' | 'startedAt' | 'meter' | 'admitted'> = {
  organisationId: newId('org', NOW),
  startedAt: NOW,
  mode: 'live',
  meter: 'screen',
  // Nothing of a screening's own code depends on the account here.
  admitted: admission(null),
};

/** A subject whose facts are still to be drawn from what was looked up. */
type Unlabelled = Omit<ScreeningSubject, 'facts'> & { readonly lookedUp: LookedUp };

/**
 * What the code of a screening takes, without model, DNS and object: the whole of `localFacts` and `label`, for names that fit the
 * address and for names of other people, on `name-matching.json`.
 */
export async function run(folder: string): Promise<BenchRow[]> {
  const data = (name: string): Uint8Array => readFileSync(join(DATA, `${name}.bin`));
  const lists = createLists({ domains: data('domains'), names: data('names') });
  const local: LocalFactsDeps = {
    lists,
    findMailHosts: async () => ({ kind: 'found', hosts: ['mx.keller-maschinenbau.de'], implicit: false }),
    classifyMailHosts,
    suggestDomain,
    backEnds: noneSuspected(lists),
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
        const lookedUp = await lookUp(local, op, subjectOf(local, op, email), NOW);
        const name = people[(i + shift) % people.length]?.name ?? null;
        return { organisationId: op.organisationId, email, name, mode: 'live', lookedUp };
      }),
    );
  const timed = (many: readonly Unlabelled[]) => async (): Promise<number> => {
    const started = performance.now();
    for (const { lookedUp, ...subject } of many)
      await label(deps, { ...subject, facts: localFacts(local, op, lookedUp, subject.name) });
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
