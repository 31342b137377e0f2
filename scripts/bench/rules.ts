import { createHash } from 'node:crypto';
import type { RuleProbe } from '../../src/domain/organisation/index.ts';
import { spread, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';
import { startRuntime } from './runtime.ts';
import type { RulesObject } from './worker/rules-object.ts';

/** The most an account may have of each kind. */
const RULES = 10_000;
const PROBES = 10_000;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const names = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

/** What an address can meet, a quarter each: a rule of its own, one of its domain, one of a parent domain, none at all. */
const KINDS: readonly ((i: number) => RuleProbe)[] = [
  (i) => ({ addressHash: hashOf(`address ${i}`), domain: `none${i}.example` }),
  (i) => ({ addressHash: hashOf(`none ${i}`), domain: `listed${i}.example` }),
  (i) => ({ addressHash: hashOf(`none ${i}`), domain: `mail.eu.listed${i}.example` }),
  (i) => ({ addressHash: hashOf(`none ${i}`), domain: `mail.none${i}.example` }),
];

/**
 * Probes among an account's full rule lists, in the object's SQLite on workerd. Clocks stand still inside a call there, so
 * one call makes all probes and is timed from outside, beside one that makes none.
 */
export async function run(): Promise<BenchRow[]> {
  const runtime = await startRuntime();
  try {
    const namespace = await runtime.miniflare.getDurableObjectNamespace('RULES', 'bare');
    const object = namespace.getByName('rules') as unknown as RulesObject;
    const probes = names(PROBES).map((i) => (KINDS[i % KINDS.length] as (i: number) => RuleProbe)(i));
    const hashes = names(RULES).map((i) => hashOf(`address ${i}`));
    await object.fill(
      hashes,
      names(RULES).map((i) => `listed${i}.example`),
      probes,
    );

    const expected = (PROBES / KINDS.length) * 3;
    const time = async (call: () => Promise<number>): Promise<number> => {
      const started = performance.now();
      await call();
      return ((performance.now() - started) * 1_000) / PROBES;
    };
    const matched = await object.match();
    if (matched !== expected) throw new Error(`${matched} probes matched a rule, not ${expected}`);
    const turns = await takeTurns({ match: () => time(() => object.match()), skip: () => time(() => object.skip()) });
    const { median: value, range } = spread(turns.match.map((us, i) => us - (turns.skip[i] ?? Number.NaN)));
    const empty = spread(turns.skip).median.toFixed(2);
    return [
      {
        name: `rule probe among ${RULES} + ${RULES} rules`,
        ...{ value, range, unit: 'µs', target: { atMost: 40 } },
        note: `taken off already: ${empty} µs a probe for the call itself; ${PROBES} probes a call`,
      },
    ];
  } finally {
    await runtime.stop();
  }
}
