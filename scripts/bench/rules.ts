import { createHash } from 'node:crypto';
import { type AddRules, RULES_MAX, type RuleKind, type RuleRecord } from '../../src/domain/rules/types.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { RuleProbe } from '../../src/organisation/api.ts';
import { spread, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';
import { startRuntime } from './runtime.ts';
import type { RulesObject } from './worker/rules-object.ts';

const PROBES = 10_000;
const BATCH = 1_000;
const PAGES = 100;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const names = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

/** What an address can meet, a quarter each: a rule of its own, one of its domain, one of a parent domain, none at all. */
const KINDS: readonly ((i: number) => RuleProbe)[] = [
  (i) => ({ addressHash: hashOf(`address ${i}`), domain: `none${i}.example` }),
  (i) => ({ addressHash: hashOf(`none ${i}`), domain: `listed${i}.example` }),
  (i) => ({ addressHash: hashOf(`none ${i}`), domain: `mail.eu.listed${i}.example` }),
  (i) => ({ addressHash: hashOf(`none ${i}`), domain: `mail.none${i}.example` }),
];

const record = (kind: RuleKind, key: string): RuleRecord => ({
  key,
  display: kind === 'domain' ? key : 'a•••@b.test',
  id: newId(kind === 'domain' ? 'dr' : 'ar', 0),
  rule: 'block',
  note: null,
  createdAt: 0,
  createdBy: 'key',
});

let changes = 0;
/** A thousand addresses that are on no list, with a note as people write them. */
const change = (): AddRules => {
  changes += 1;
  return {
    operationId: `rq_${changes}`,
    kind: 'address',
    rule: 'block',
    note: 'Bounced twice',
    createdBy: 'key_1',
    subjects: names(BATCH).map((i) => ({
      key: hashOf(`new ${i}`),
      display: 'a•••@business.test',
    })),
  };
};

/**
 * An account's full rule lists in the object's SQLite on workerd. Clocks stand still inside a call there, so each is timed
 * from outside: many probes or pages a call, beside a call that makes none; a change with all that it carries.
 */
export async function run(): Promise<BenchRow[]> {
  const runtime = await startRuntime();
  try {
    const namespace = await runtime.miniflare.getDurableObjectNamespace('RULES', 'bare');
    const object = namespace.getByName('rules') as unknown as RulesObject;
    const probes = names(PROBES).map((i) => (KINDS[i % KINDS.length] as (i: number) => RuleProbe)(i));
    const addresses = names(RULES_MAX).map((i) => record('address', hashOf(`address ${i}`)));
    const domains = names(RULES_MAX).map((i) => record('domain', `listed${i}.example`));
    await object.fill(addresses, domains, probes);

    const expected = (PROBES / KINDS.length) * 3;
    const time = async (call: () => Promise<number>): Promise<number> => {
      const started = performance.now();
      await call();
      return performance.now() - started;
    };
    const matched = await object.match();
    if (matched !== expected) throw new Error(`${matched} probes matched a rule, not ${expected}`);
    const turns = await takeTurns({
      match: () => time(() => object.match()),
      skip: () => time(() => object.skip()),
      list: () => time(() => object.list(PAGES)),
    });
    const each = (ms: readonly number[], count: number) =>
      spread(ms.map((total, i) => ((total - (turns.skip[i] ?? Number.NaN)) * 1_000) / count));
    const probe = each(turns.match, PROBES);
    const page = each(turns.list, PAGES);

    const full = `${RULES_MAX} + ${RULES_MAX} rules`;
    const rows: BenchRow[] = [
      {
        name: `rule probe among ${full}`,
        value: probe.median,
        range: probe.range,
        unit: 'µs',
        target: { atMost: 40 },
        note: `${PROBES} probes a call; what the call itself takes is taken off`,
      },
      {
        name: `a page of 50 with the count of ${RULES_MAX}`,
        value: page.median,
        range: page.range,
        unit: 'µs',
        note: `${PAGES} pages a call`,
      },
    ];

    await object.remove({ ...change(), subjects: addresses.slice(0, BATCH) });
    const { turn } = await takeTurns({
      turn: async () => ({
        added: await time(() => object.add(change())),
        removed: await time(() => object.remove(change())),
      }),
    });
    const add = spread(turn.map(({ added }) => added));
    const remove = spread(turn.map(({ removed }) => removed));
    rows.push({
      name: `${BATCH} addresses added in one call`,
      value: add.median,
      range: add.range,
      unit: 'ms',
      target: { atMost: 60 },
      note: `beside ${RULES_MAX - BATCH} others, RPC and disk with it; removed again: ${remove.median.toFixed(1)} ms`,
    });
    return rows;
  } finally {
    await runtime.stop();
  }
}
