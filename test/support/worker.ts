/// <reference types="@cloudflare/vitest-plugin/types" />
import { Sql } from '../../src/organisation/sql/sql.ts';
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { vi } from 'vitest';
import { switchFaults } from '../../scripts/stack/neon-protocol.ts';
import { mintBootstrapToken } from '../../src/domain/access/keys.ts';
import { sha256Hex } from '../../src/kernel/crypto.ts';
import { type Id, idFromUuid, newId } from '../../src/kernel/ids.ts';
import type { AuthorizeRequest, OrganisationRpc } from '../../src/organisation/api.ts';
import { connectDatabase } from '../../src/storage/postgres/client.ts';
import { trace } from '../../src/storage/postgres/record-schema.ts';
import { traceRecord } from './records.ts';
import { authorizeRequest, commitRequest } from './requests.ts';

/** Settings that are secrets or the local stack's, which wrangler.toml does not name. */
interface Settings {
  readonly SERVICE_SECRET: string;
  readonly DATABASE_URL: string;
  readonly DATABASE_HTTP_URL: string;
}
const settings = env as unknown as Settings;

const loopback = (exports as unknown as { readonly default: Fetcher }).default;

/** A request through the Worker's own front door, in an invocation of its own. */
export async function call(method: string, path: string, key: string, body?: unknown, headers: object = {}) {
  const response = await loopback.fetch(`https://service.test${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

/** The object of an organisation, as RPC reaches it. */
const objectOf = (id: string): DurableObjectStub & OrganisationRpc =>
  // RPC’s types make each optional field of an answer one that may be undefined.
  env.ORGANISATION.getByName(id) as unknown as DurableObjectStub & OrganisationRpc;

/** Postgres, through the driver the Worker uses. */
export const database = connectDatabase({ url: settings.DATABASE_URL, httpUrl: settings.DATABASE_HTTP_URL });

/** The traces of an organisation that Postgres holds, by id. */
export async function tracesInDatabase(organisationId: Id<'org'>): Promise<string[]> {
  const rows = await database.select({ id: trace.id }).from(trace).where(eq(trace.organisationId, organisationId));
  return rows.map(({ id }) => idFromUuid('vr', id));
}

/** Sets the database's delay and availability. */
export const switchDatabase = (faults: { delay_ms?: number; down?: boolean }): Promise<void> =>
  switchFaults(settings.DATABASE_URL, faults);

let operatorKey: Promise<string> | null = null;

/** An operator's key, made when the first test asks. */
export const operator = (): Promise<string> => (operatorKey ??= bootstrap());

async function bootstrap(): Promise<string> {
  const token = mintBootstrapToken(settings.SERVICE_SECRET, Date.now());
  return (await call('POST', '/operator/v1/bootstrap', token)).body.key.key;
}

/** An organisation of the test's own, made as an operator makes it, with a member's key. */
export async function createOrganisation(limits: object = {}) {
  const { organisation } = (await call('POST', '/operator/v1/organisations', await operator(), limits)).body;
  const id: Id<'org'> = organisation.id;
  const body = { name: 'test', role: 'member', origin: 'auto' };
  const { key } = (await call('POST', `/operator/v1/organisations/${id}/keys`, await operator(), body)).body;
  return {
    id,
    key: key.key as string,
    keyId: key.id as Id<'key'>,
    /** Its object, through a fresh stub: one that has failed stays broken. */
    get object() {
      return objectOf(id);
    },
    /** One verification, sent to the object directly. */
    authorize: (change: Partial<AuthorizeRequest> = {}) =>
      objectOf(id).authorize(authorizeRequest({ keyHash: sha256Hex(key.key), ...change })),
    commit: (operationId: string, traceId: Id<'vr'> = newId('vr', Date.now())) => {
      const record = JSON.stringify(traceRecord({ id: traceId, organisationId: id, keyId: key.id }));
      return objectOf(id).commit(commitRequest(operationId, { trace: { kind: 'trace', id: traceId, record } }));
    },
    usage: async () => (await objectOf(id).usage()).usage,
    outboxRows: async () => (await objectOf(id).status())?.outboxRows,
  };
}

/** Sets the service's clock a day ahead, so that alarms run only when a test runs them. */
export function holdAlarms(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
}

/** Runs the alarm, if one is set, and waits for the work that it begins. */
export async function runAlarm(object: DurableObjectStub & OrganisationRpc): Promise<boolean> {
  const ran = await runDurableObjectAlarm(object);
  await object.tick();
  return ran;
}

export const passTime = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

/** Waits until the condition holds. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await scheduler.wait(20);
}

/** The object's SQLite, and the rows that its statements have read since the last call. */
export function countingReads(storage: DurableObjectStorage) {
  const cursors: SqlStorageCursor<never>[] = [];
  const exec = (query: string, ...bindings: string[]) => {
    const cursor = storage.sql.exec(query, ...bindings);
    cursors.push(cursor as SqlStorageCursor<never>);
    return cursor;
  };
  const rowsRead = () => cursors.splice(0).reduce((sum, cursor) => sum + cursor.rowsRead, 0);
  return { sql: new Sql({ exec } as ConstructorParameters<typeof Sql>[0]), rowsRead };
}
