import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { PolicyDocument, PolicyRule } from '../../src/contract/policy.ts';
import { storedTextFault } from '../../src/contract/stored-text.ts';
import { compilePolicy } from '../../src/domain/policy/compile.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy/default-policy.ts';
import { parsePolicy } from '../../src/domain/policy/document.ts';
import { openSimulation } from '../../src/domain/policy/simulate.ts';
import type { TraceRecord } from '../../src/domain/traces/record.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/storage/postgres/client.ts';
import { insertPartitioned } from '../../src/storage/postgres/partitions.ts';
import { listDecidableTraces } from '../../src/storage/postgres/traces.ts';
import { MIGRATIONS } from '../stack/database.ts';
import type { BenchRow } from './row.ts';

const TRACES = 100_000;
const PAGE = 5_000;
const NOW = Date.UTC(2026, 10, 20);
const ORGANISATION = newId('org', NOW);

/** As large as one attribute may be. */
const ATTRIBUTE = 'Äbc Def gh'.repeat(25);

const ORDINARY: PolicyDocument = {
  ...DEFAULT_POLICY,
  rules: [
    { id: 'company', when: { path: 'company.country', op: 'eq', value: 'DE' }, decision: 'review' },
    ...DEFAULT_POLICY.rules,
  ],
};

/** All the comparisons a document may have, each of them looked at. */
const HEAVY: PolicyDocument = {
  name: 'Heavy',
  rules: Array.from({ length: 200 }, (_, i): PolicyRule => {
    const any = Array.from({ length: 10 }, (_unused, j) => ({
      ...({ path: 'attributes.note', op: 'contains', value: `zz${i}-${j}` } as const),
    }));
    return { id: `r${i}`, when: { any }, decision: 'deny' };
  }),
  default: 'allow',
};

async function openDatabase(): Promise<Database> {
  const db = drizzle(await PGlite.create());
  await migrate(db, { migrationsFolder: MIGRATIONS });
  return db;
}

/** A second apart, the newest at `NOW`, every one a decision of the default policy. */
async function seed(db: Database): Promise<void> {
  const made: TraceRecord['policyDecision'] = {
    decision: 'allow',
    rule_id: 'free',
    policy: {
      slug: 'default',
      version: 1,
    },
    experiment: null,
    icp: { fit: 'unknown' },
    attributes: {
      plan: 'team',
      note: ATTRIBUTE,
    },
    company: {
      industry: 'Software',
      employees_range: '51-200',
      country: 'DE',
    },
  };
  const insert = () =>
    db.execute(sql`
      insert into trace (id, organisation_id, kind, mode, created_at, address_hash, display, domain, verdict,
        bounce_probability, recommendation, email_type, esp, cost_micros, latency_ms, cache_hit, degraded, policy_decision)
      select (lpad(to_hex(ms), 12, '0') || '7' || substr(bits, 1, 3) || '8' || substr(bits, 4, 15))::uuid, ${ORGANISATION},
        'decide', 'live', ms, bits || bits, 'a•••@acme.example', 'acme.example', 'valid', 0.01, 'send', 'business',
        'hosted_suite_a', 4000, 87, false, false, ${JSON.stringify(made)}::jsonb
      from (select md5(i::text) as bits, ${NOW}::bigint - i * 1000 as ms from generate_series(0, ${TRACES - 1}) as i) as rows`);
  await insertPartitioned(
    db,
    ['trace', 'trace_detail'],
    () => [NOW - TRACES * 1_000, NOW],
    async () => void (await insert()),
  );
}

async function simulate(db: Database, document: PolicyDocument): Promise<number> {
  const parsed = parsePolicy(document, storedTextFault);
  if (!parsed.ok) throw new Error('the policy is not valid');
  const simulation = openSimulation(compilePolicy(parsed.value), 'default');
  const startedAt = performance.now();
  const query = {
    filter: { mode: 'live', keyId: null },
    fromMs: NOW - TRACES * 1_000,
    withDetail: simulation.readsDetail,
  } as const;
  for (let before: TraceRecord['id'] | null = null; ;) {
    const page = await listDecidableTraces(db, ORGANISATION, { ...query, limit: PAGE, before });
    simulation.add(page);
    before = page.at(-1)?.id ?? null;
    if (page.length < PAGE) break;
  }
  if (simulation.result().traces !== TRACES) throw new Error('traces are missing');
  return (performance.now() - startedAt) / 1_000;
}

/** Drafts against stored decisions, read from an embedded Postgres page by page as the service does. */
export async function run(): Promise<BenchRow[]> {
  const db = await openDatabase();
  await seed(db);
  return [
    {
      name: `simulate over ${TRACES} decisions`,
      value: await simulate(db, ORDINARY),
      unit: 's',
      target: { atMost: 10 },
    },
    {
      name: 'the same, the largest draft there may be',
      value: await simulate(db, HEAVY),
      unit: 's',
      note: '2,000 comparisons with 250 characters; the service stops at 15 s',
    },
  ];
}
