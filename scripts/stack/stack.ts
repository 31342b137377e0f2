import { rmSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { sentence } from '../deployment/settings.ts';
import { startChild } from './child.ts';
import { startCron } from './cron.ts';
import { startDnsServer } from './dns-server.ts';
import { dashboardPort, requireFreePort } from './free-port.ts';
import { httpUrlOf, runStatement, switchFaults } from './neon-protocol.ts';
import { startMadeUpVendors } from './made-up-vendors.ts';
import type { StackOptions } from './options.ts';
import { startReport } from './report.ts';
import { claimState } from './run-record.ts';
import { hasSites } from './sites.ts';
import { askSignInLink, PERSON, seed, seedPerson, stillWorks, waitUntilHealthy } from './seed.ts';
import { checkSettings, settingsFrom, unusedSettings } from './settings.ts';
import {
  createState,
  emptyState,
  isMadeWith,
  loadSecrets,
  type Secrets,
  type Seeded,
  type StackInfo,
  saveSecrets,
  writePrivate,
} from './state.ts';

export interface StackLife {
  /** What is running, in the order it came up; it goes down in the opposite order. */
  readonly running: { readonly stop: () => Promise<void> | void }[];
  /** Aborted once everything is being ended: a running start goes no further. */
  readonly ending: AbortSignal;
  /** Called when a part ends by itself. */
  readonly onDeath: (error: Error) => void;
}

const PROJECT = join(import.meta.dirname, '../..');

/** Optimising embedded Postgres takes V8 five seconds of CPU and 600 MB. */
const QUICK_START = ['--liftoff-only'];

const REAL_DNS = 'the real one, over public resolvers';
const OFFLINE_DNS = 'no resolver in reach: a bundled zone of large mailbox hosts';

const OTHER_HASH_SECRET =
  'HASH_SECRET is not the one that this state was made with: its hashed addresses, rules and connections no longer match. Start with the one from before, set it as HASH_SECRET_PREVIOUS too, or begin anew with --fresh';

/**
 * Brings the whole stack up and writes `stack.json`. `running` is complete at every moment, so that a signal in the
 * middle can end everything. Rejects with a StackError if it can't continue.
 */
export async function startStack(options: StackOptions, { running, ending, onDeath }: StackLife): Promise<void> {
  const { state: stateDir, port } = options;
  const baseUrl = `http://127.0.0.1:${port}`;
  const external = process.env.DATABASE_URL;
  const { faults, clockOffsetMs } = checkSettings(process.env);
  const step = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    ending.throwIfAborted();
    return done;
  };
  const report = startReport(`Starting the local stack (state in ${stateDir})`);

  for (const note of [...faults.map(sentence), ...unusedSettings(process.env)]) report.note(note);
  createState(stateDir);
  const onLeftover = (name: string) => report.note(`ending ${name}, left by a killed run`);
  const record = await step(claimState(stateDir, baseUrl, onLeftover));
  const stackFile = join(stateDir, 'stack.json');
  running.push({
    stop: () => {
      rmSync(stackFile, { force: true });
      record.release();
    },
  });
  rmSync(stackFile, { force: true });
  if (options.fresh) emptyState(stateDir);
  await step(requireFreePort(port));
  const pagesPort = await step(dashboardPort(options.dashboardPort, port));
  // Not 127.0.0.1: a passkey needs a name.
  const dashboardUrl = `http://localhost:${pagesPort}`;
  const own = settingsFrom(process.env);
  const secrets = loadSecrets(stateDir, own.HASH_SECRET);
  const hashSecrets = [own.HASH_SECRET ?? secrets.hash_secret, ...(own.HASH_SECRET_PREVIOUS ?? '').split(',')];
  if (!hashSecrets.some((each) => isMadeWith(secrets, each.trim()))) report.note(OTHER_HASH_SECRET);

  const child = <T>(name: string, file: string, args: readonly string[], flags: readonly string[] = []) => {
    const started = startChild<T>(name, file, args, record.add, flags);
    running.push(started);
    void started.died.then(onDeath);
    return started;
  };
  const startedMs = performance.now();
  const database = child<{ url: string }>(
    'database',
    'neon-server.ts',
    ['--data', join(stateDir, 'postgres'), '--delay-ms', String(options.dbDelayMs)],
    options.shortLived ? QUICK_START : [],
  );
  const worker = child<{ crons: string[] }>('worker', 'worker.ts', [
    '--port',
    String(port),
    '--dashboard-port',
    String(pagesPort),
    '--state',
    stateDir,
    ...(options.watch ? ['--watch'] : []),
    ...(options.inspectorPort === undefined ? [] : ['--inspector-port', String(options.inspectorPort)]),
  ]);
  const dns = await step(startDnsServer());
  running.push(dns);
  const dnsNote = (await step(dns.isReal())) ? REAL_DNS : OFFLINE_DNS;
  report.step('DNS', dnsNote, startedMs);
  const vendors = options.vendors ? await step(startMadeUpVendors()) : null;
  if (vendors !== null) running.push(vendors);
  const { url: endpointUrl } = await step(database.ready);
  record.setDatabase(endpointUrl);
  report.step(
    'Database',
    external ? 'the Postgres of DATABASE_URL, migrated' : 'embedded Postgres, migrated',
    startedMs,
  );

  const settings: Record<string, string> = {
    SERVICE_SECRET: secrets.service_secret,
    HASH_SECRET: secrets.hash_secret,
    SERVICE_VERSION: packageJson.version,
    DOH_URLS: dns.urls.join(','),
    // A local stack fetches no lists unless configured to.
    DISPOSABLE_SOURCE_URLS: '',
    PUBLIC_URL: baseUrl,
    DASHBOARD_URL: dashboardUrl,
    OPERATOR_EMAILS: PERSON.email,
    ...vendors?.settings,
    ...own,
    DATABASE_URL: endpointUrl,
    DATABASE_HTTP_URL: `${httpUrlOf(endpointUrl)}/sql`,
    LOCAL_STACK: '1',
  };
  const dashboardSettings = {
    DASHBOARD_URL: dashboardUrl,
    AUTH_SECRET: process.env['AUTH_SECRET'] || secrets.auth_secret,
    SIGNUP_DOMAINS: process.env['SIGNUP_DOMAINS'] ?? '',
    OPERATOR_EMAILS: settings['OPERATOR_EMAILS'] ?? '',
    DATABASE_URL: endpointUrl,
    DATABASE_HTTP_URL: `${httpUrlOf(endpointUrl)}/sql`,
  };
  worker.send({ settings, dashboardSettings });
  const { crons } = await step(worker.ready);
  await step(waitUntilHealthy(baseUrl));
  report.step('Workers', 'API and dashboard built, on workerd, answer', startedMs);

  const seeded = await step(keysFor(baseUrl, stateDir, secrets, settings.SERVICE_SECRET ?? '', clockOffsetMs));
  report.step('Keys', seeded === secrets.seeded ? 'those of the last run' : 'one organisation, five keys');
  const person = await step(seedPerson(baseUrl, seeded));
  // A start must have a link to give, however often within minutes it was begun.
  await step(runStatement(endpointUrl, 'delete from auth_rate'));
  const signInUrl = await step(askSignInLink(dashboardUrl, person, (hear) => worker.onLink(hear)));
  report.step('Dashboard', 'one person, who may sign in');
  if (options.dbDown) await step(switchFaults(endpointUrl, { down: true }));
  if (options.cron) running.push({ stop: startCron(baseUrl, crons) });

  const info: StackInfo = {
    base_url: baseUrl,
    database_url: external ?? endpointUrl,
    dashboard_url: dashboardUrl,
    sign_in_url: signInUrl,
    ...seeded,
    pid: process.pid,
  };
  writePrivate(stackFile, info);
  worker.onLink(({ email, url }) => {
    console.log(`Sign-in link for ${email}: ${url}`);
    if (email === person) writePrivate(stackFile, { ...info, sign_in_url: url });
  });
  report.ready(info, { logFile: join(stateDir, 'worker.log'), dns: dnsNote, hasSites: hasSites(PROJECT) });
  worker.send({ build: 'sites' });
}

/** The keys of the last run while they work; else new ones, stored for the next. */
async function keysFor(
  baseUrl: string,
  stateDir: string,
  secrets: Secrets,
  serviceSecret: string,
  clockOffsetMs: number,
): Promise<Seeded> {
  if (secrets.seeded && (await stillWorks(baseUrl, secrets.seeded))) return secrets.seeded;
  const seeded = await seed(baseUrl, serviceSecret, Date.now() + clockOffsetMs);
  saveSecrets(stateDir, { ...secrets, seeded });
  return seeded;
}
