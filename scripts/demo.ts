import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { faker } from '@faker-js/faker';
import { sql } from 'drizzle-orm';
import { keySecret } from '../src/domain/access/keys.ts';
import { emptyUsage, type Usage, utcMonth } from '../src/domain/metering/usage.ts';
import type { TraceRecord } from '../src/domain/traces/traces.ts';
import type { DeliveryReport } from '../src/domain/belief/facts.ts';
import { DAY_MS, HOUR_MS } from '../src/kernel/clock.ts';
import { hasher } from '../src/runtime/hasher.ts';
import { connectDatabase, type Database } from '../src/storage/postgres/client.ts';
import { findUserId } from '../src/storage/postgres/organisations.ts';
import { type OutboxRow, writeOutbox } from '../src/storage/postgres/projection.ts';
import { commandLine, wholeNumber } from './command-line.ts';
import { drawAccount } from './demo/account.ts';
import { openCalls } from './demo/calls.ts';
import { cleanFiles } from './demo/files.ts';
import { drawEvents, drawOutcome, drawTimes } from './demo/history.ts';
import { type DemoPerson, drawWorld } from './demo/world.ts';
import { type Connection, callService } from './operator/api.ts';
import { httpUrlOf } from './stack/neon-protocol.ts';
import { startReport } from './stack/report.ts';
import { PERSON } from './stack/seed.ts';
import { loadSecrets, type StackInfo } from './stack/state.ts';

/**
 * `npm run demo`: an organisation of the running local stack with 90 days behind it. The service's own verbs run here
 * at their times with simulated vendors; their records reach Postgres by the outbox's functions. The object is then
 * rebuilt from them, files are cleaned over the API, and the nightly run learns.
 */
const program = commandLine('demo', 'Fills an organisation of the running local stack with 90 days of made-up use.')
  .option('--state <dir>', 'state of the running stack', '.local')
  .option('--traces <n>', 'verifications and decisions', wholeNumber(100, 200_000), 20_000)
  .option('--seed <n>', 'the same one draws the same people', wholeNumber(1), 1)
  .parse();
const options = program.opts<{ state: string; traces: number; seed: number }>();

const DAYS = 90;
/** Rows in one statement. */
const BATCH = 500;
/** What a rebuild joins. */
const ANALYZED = ['trace', 'event', 'outcome', 'delivery_report'];
const TRIES = 6;
const NIGHT = '17 3 * * *';
const NIGHT_MS = 10 * 60_000;
/** Screenings beside, of a form without a policy. */
const SCREENINGS = 0.06;
/** When all vendors were away, in days before the end. */
const OUTAGE = { daysAgo: 12.4, ms: 5 * HOUR_MS };

const stack = readStack();
const databaseUrl = stack.database_url;
if (!['127.0.0.1', 'localhost'].includes(new URL(databaseUrl).hostname) || process.env.DATABASE_URL)
  program.error('error: the demo fills the embedded Postgres alone: start the stack without DATABASE_URL');

const report = startReport(`Filling an organisation of the stack at ${stack.base_url}`);
const COLLEAGUES = [
  { email: 'grace@northwind.example', name: 'Grace Hopper', role: 'admin' },
  { email: 'alan@northwind.example', name: 'Alan Turing', role: 'member' },
];

const nowMs = Date.now();
const fromMs = nowMs - DAYS * DAY_MS;
const startedAt = performance.now();
const world = drawWorld(options.seed);
const db = connectDatabase({ url: databaseUrl, httpUrl: `${httpUrlOf(databaseUrl)}/sql` });
const { service_secret: serviceSecret } = loadSecrets(options.state);
const userId =
  (await findUserId(db, PERSON.email)) ??
  program.error(`error: the stack has no person ${PERSON.email}: start it anew`);
const account = drawAccount(fromMs, nowMs, {
  userId,
  keySecret: keySecret(process.env.SERVICE_SECRET ?? serviceSecret),
});
const { id } = account.settings;

const rows = await drawRows();
report.step('Calls', `${options.traces} traces over ${DAYS} days`);
await write(db, 'organisation', [account.settings]);
await write(db, 'api_key', Object.values(account.keys));
await write(db, 'policy', account.policies);
await write(db, 'usage', rows.usage);
for (const kind of ['trace', 'screening', 'outcome', 'event'] as const) await writeRows(db, kind, rows[kind]);
// No autovacuum runs there, and without statistics the statements of a rebuild are slow.
for (const table of ANALYZED) await patiently(() => db.execute(sql.raw(`analyze ${table}`)));
report.step(
  'Postgres',
  `${rows.outcome.length} outcomes, ${rows.event.length} events, ${rows.screening.length} screenings`,
);

const operator: Connection = { baseUrl: stack.base_url, key: stack.keys.operator };
const path = `/operator/v1/organisations/${id}`;
await patiently(() => callService(operator, 'POST', `${path}/rebuild`, {}));
for (const person of [PERSON, ...COLLEAGUES]) await callService(operator, 'POST', `${path}/users`, person);
// Each is used once: a key that never was looks forgotten.
for (const key of Object.values(account.secrets)) await callService({ baseUrl: stack.base_url, key }, 'GET', '/v1/me');
const own: Connection = { baseUrl: stack.base_url, key: account.secrets.lists };
await callService(own, 'POST', '/v1/domains/blocklist', {
  domains: ['spam-offers.example', 'seo-backlinks.example', 'crypto-airdrop.example'],
  note: 'Sent fake signups in spring',
});
await callService(own, 'POST', '/v1/domains/allowlist', { domains: ['partner-school.example'], note: 'Partner' });
await callService(own, 'POST', '/v1/invitations', { email: 'katherine@northwind.example', role: 'viewer' });
await callService(own, 'POST', '/v1/connections', { kind: 'resend', secret: 'whsec_ExampleOfASecret' });
report.step('Object', 'rebuilt from Postgres');
const asked = await cleanFiles(own);
report.step('Files', `three jobs done${asked === 0 ? ', no vendor asked: npm start -- --vendors has two' : ''}`);
await runNight();
report.step('Night', 'roll-ups and fit');
const seconds = Math.round((performance.now() - startedAt) / 1_000);
console.log(`
${account.settings.name} is filled, in ${seconds} s: ${stack.dashboard_url}/${id}/overview
Sign in as ${PERSON.email}; \`npm start\` shows a link, or ask for one at ${stack.dashboard_url}.`);

function readStack(): StackInfo {
  try {
    return JSON.parse(readFileSync(join(options.state, 'stack.json'), 'utf8')) as StackInfo;
  } catch {
    return program.error(`error: no stack runs with its state in ${options.state}: start one with \`npm start\``);
  }
}

/** All that 90 days left in the outbox. */
async function drawRows() {
  const { hash_secret: kept } = loadSecrets(options.state);
  const secret = () => Buffer.from(process.env.HASH_SECRET ?? kept, 'base64');
  const from = nowMs - OUTAGE.daysAgo * DAY_MS;
  const calls = openCalls({
    world,
    account,
    hashAddress: hasher(secret, 'address'),
    hashIdentity: hasher(secret, 'identity'),
    isOutage: (at) => at >= from && at < from + OUTAGE.ms,
  });
  const made: Record<'trace' | 'screening' | 'outcome' | 'event', OutboxRow[]> = {
    trace: [],
    screening: [],
    outcome: [],
    event: [],
  };
  const months = new Map<string, Usage>();
  const count = (at: number, meter: 'verify' | 'decide' | 'screen', costMicros: number): void => {
    const month = utcMonth(at);
    const before = months.get(month) ?? emptyUsage(month);
    months.set(month, {
      ...before,
      calls: { ...before.calls, [meter]: before.calls[meter] + 1 },
      spendMicros: before.spendMicros + costMicros,
      providerMicros: before.providerMicros + costMicros,
    });
  };
  const known = new Set<DemoPerson>();
  /** Those that have not arrived yet. */
  let reports: { readonly report: DeliveryReport; readonly hash: string; readonly person: DemoPerson }[] = [];
  for (const at of drawTimes(options.traces, fromMs, nowMs)) {
    const person = world.draw();
    const isDecision = person.purpose === 'signup';
    for (const due of reports.filter((each) => each.report.at <= at)) calls.learn(due.report, due.hash, due.person);
    reports = reports.filter((each) => each.report.at > at);
    const row = await (isDecision ? calls.decide(at, person) : calls.verify(at, person));
    const record = JSON.parse(row.record) as TraceRecord;
    made.trace.push(row);
    count(at, isDecision ? 'decide' : 'verify', record.costMicros);
    const outcome = drawOutcome(account, record, person, nowMs);
    if (outcome !== null) {
      made.outcome.push(outcome.row);
      if (record.addressHash !== null) reports.push({ report: outcome.report, hash: record.addressHash, person });
    }
    if (isDecision && !known.has(person)) made.event.push(...drawEvents(account, record, person, nowMs));
    known.add(person);
    if (faker.number.float() < SCREENINGS) {
      made.screening.push(await calls.screen(at, person));
      count(at, 'screen', 0);
    }
  }
  const usage = [...months.values()].map((each) => ({ organisationId: id, usage: each, at: nowMs }));
  return { ...made, usage };
}

async function write(to: Database, kind: OutboxRow['kind'], records: readonly object[]): Promise<void> {
  await writeRows(
    to,
    kind,
    records.map((record) => ({ seq: 0, kind, id: id, record: JSON.stringify(record), at: nowMs })),
  );
}

async function writeRows(to: Database, kind: OutboxRow['kind'], all: readonly OutboxRow[]): Promise<void> {
  for (let at = 0; at < all.length; at += BATCH) {
    await patiently(async () => {
      const failure = await writeOutbox(to, kind, all.slice(at, at + BATCH));
      if (failure !== null) throw failure.error;
    });
  }
}

/** On a busy machine a statement may exceed its 10 s. Everything here is idempotent. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (let left = TRIES; ; left -= 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}

/** Begins the nightly run as the platform does, and waits until it has done this organisation. */
async function runNight(): Promise<void> {
  const response = await fetch(`${stack.base_url}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(NIGHT)}`);
  if (!response.ok) throw new Error(`the nightly run was answered ${response.status}`);
  const until = Date.now() + NIGHT_MS;
  // While the night reads all of Postgres, a call may find it away.
  const isComputed = async (of: string): Promise<boolean> => {
    const answer = await callService(own, 'GET', of).catch(() => null);
    return typeof (answer as { computed_at?: unknown } | null)?.computed_at === 'number';
  };
  while (Date.now() < until) {
    if ((await isComputed('/v1/segments')) && (await isComputed('/v1/calibration'))) return;
    await sleep(2_000);
  }
  throw new Error(`the nightly run is not done after ${NIGHT_MS / 60_000} minutes: worker.log of the stack says more`);
}
