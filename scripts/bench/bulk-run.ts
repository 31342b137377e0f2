import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { TraceRecord } from '../../src/domain/traces/record.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Exchange } from '../../src/services/verb.ts';
import { verify } from '../../src/services/verification/verify.ts';
import { insertTraces } from '../../src/storage/postgres/traces.ts';
import { type Database, MIGRATIONS } from '../stack/database.ts';
import { PLATFORM_HEAP_MB } from '../stack/heap-limit.ts';
import { openPostgres } from '../stack/postgres-database.ts';
import { openJobs } from './jobs.ts';
import { spread } from './rounds.ts';
import type { BenchRow } from './row.ts';
import { runVerb } from './run-verb.ts';
import { type BenchRuntime, withRuntime } from './runtime.ts';
import { useCaseDeps, useCaseExchange } from './use-case.ts';

const ADDRESSES = 100_000;
const DOMAINS = 1_000;
/** Traces a statement, where all of them are there. */
const BATCH = 500;
const POLL_MS = 250;

/** All of one business host, as the test zone has it. */
const HOST = 'mx1.business.test';
const email = (row: number): string => `ada.lovelace${row}@d${row % DOMAINS}.bulk.test`;

/** One takes about a minute. */
const ROUNDS = 3;

/** With no heap limit, as the direct calls have none, and with the platform's. */
const HEAP_LIMITS = [
  { name: 'no heap limit', heapLimitMb: null },
  { name: `${PLATFORM_HEAP_MB} MB of heap`, heapLimitMb: PLATFORM_HEAP_MB },
] as const;

/**
 * 100,000 addresses through the service and Postgres, until the last trace is written, beside the same addresses by direct calls
 * of the use case in this process and their traces inserted in batches. `url`: a Postgres, on which databases are made and
 * dropped.
 */
export async function run(url: string): Promise<BenchRow[]> {
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) rounds.push(await onNewDatabase(url, measure));
  const median = (of: (round: Round) => number | undefined): string =>
    spread(rounds.map((round) => of(round) ?? Number.NaN)).median.toFixed(1);
  const beside = `direct calls ${median(({ directS }) => directS)} s, insert ${median(({ insertS }) => insertS)} s`;
  return HEAP_LIMITS.map(({ name }, i) => {
    const { median: value, range } = spread(
      rounds.map(({ jobs, directS, insertS }) => (jobs[i]?.writtenS ?? Number.NaN) / (directS + 2 * insertS)),
    );
    const note = `${median(({ jobs }) => jobs[i]?.writtenS)} s to the last of ${ADDRESSES} traces, done after ${median(({ jobs }) => jobs[i]?.doneS)}; ${beside}`;
    return {
      name: `job / direct + 2 × insert, ${name}`,
      value,
      range,
      unit: '×',
      target: { atMost: 1 },
      note,
    };
  });
}

interface JobTimes {
  /** Until the job was done, and until its last trace was written. */
  readonly doneS: number;
  readonly writtenS: number;
}

interface Round {
  readonly directS: number;
  readonly insertS: number;
  /** By heap limit. */
  readonly jobs: readonly JobTimes[];
}

async function onNewDatabase<T>(url: string, work: (database: Database, client: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const name = `bench_${randomBytes(8).toString('hex')}`;
  await admin.query(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const database = await openPostgres(own.href);
  const client = new pg.Client({ connectionString: own.href });
  await client.connect();
  try {
    await database.migrate(MIGRATIONS);
    return await work(database, client);
  } finally {
    await client.end();
    await database.close();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

async function measure(database: Database, client: pg.Client): Promise<Round> {
  const { directS, traces } = await callDirectly();
  const insertS = await seconds(() => insertAll(client, traces));
  const jobs: JobTimes[] = [];
  for (const { heapLimitMb } of HEAP_LIMITS) {
    jobs.push(await withRuntime({ database, heapLimitMb }, (runtime) => runJob(runtime, client)));
  }
  return { directS, insertS, jobs };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

interface KeptTraces {
  readonly ids: TraceRecord['id'][];
  readonly records: string[];
}

async function callDirectly(): Promise<{ readonly directS: number; readonly traces: KeptTraces }> {
  const deps = useCaseDeps(() => [HOST], Date.now);
  const organisationId = newId('org', Date.now());
  const traces: KeptTraces = { ids: [], records: [] };
  const commit: Exchange['commit'] = async ({ trace }) => {
    traces.ids.push(trace?.id as TraceRecord['id']);
    traces.records.push(trace?.record ?? '');
    return null;
  };
  const directS = await seconds(async () => {
    for (let row = 0; row < ADDRESSES; row += 1) {
      const exchange = useCaseExchange(organisationId, Date.now(), commit);
      await runVerb(deps, verify, exchange, { body: { email: email(row) } });
    }
  });
  return { directS, traces };
}

async function insertAll(client: pg.Client, { ids, records }: KeptTraces): Promise<void> {
  const db = drizzle(client);
  for (let from = 0; from < ADDRESSES; from += BATCH) {
    await insertTraces(db, records.slice(from, from + BATCH), ids.slice(from, from + BATCH));
  }
}

async function runJob(runtime: BenchRuntime, client: pg.Client): Promise<JobTimes> {
  const jobs = await openJobs(runtime);
  const start = (rows: number): Promise<string> =>
    jobs.start(['email', ...Array.from({ length: rows }, (_, row) => email(row)), ''].join('\n'));
  const written = async (id: string, traces: number): Promise<void> => {
    const counted = 'select count(*)::int as n from trace where bulk_job_id = $1';
    for (;;) {
      const { rows } = await client.query<{ n: number }>(counted, [id]);
      if (rows[0]?.n === traces) return;
      await sleep(POLL_MS);
    }
  };
  // What is known of the domains is warm after it.
  const first = await start(DOMAINS);
  await jobs.done(first);
  await written(first, DOMAINS);

  const id = await start(ADDRESSES);
  const started = performance.now();
  await jobs.done(id);
  const doneS = (performance.now() - started) / 1_000;
  await written(id, ADDRESSES);
  return { doneS, writtenS: (performance.now() - started) / 1_000 };
}
