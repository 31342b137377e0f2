import type { KeyRecord } from '../../src/domain/access/keys.ts';
import { DEFAULT_LIMITS, type Limits } from '../../src/domain/metering/usage.ts';
import type { AuthorizeRequest } from '../../src/organisation/api.ts';
import { OperatorsObject, OrganisationObject } from '../../src/runtime/objects.ts';
import { createBucket } from './bucket.ts';
import { createObjectStorage, type ObjectStorage } from './object-storage.ts';
import { keyRecord, settingsRecord } from './records.ts';
import { authorizeRequest, type CommitChange, commitRequest } from './requests.ts';

const secret = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

/** The settings and bindings of an object. */
const OBJECT_ENV = {
  SERVICE_SECRET: secret(1),
  HASH_SECRET: secret(2),
  DATABASE_URL: 'postgresql://user:password@db.localhost/main',
  DOH_URLS: 'https://one.localhost/dns-query,https://two.localhost/dns-query',
  COUNTERS: { writeDataPoint: () => undefined },
  BULK_QUEUE: { sendBatch: async () => undefined },
  BULK_FILES: createBucket().bucket,
  /** The operators' object, where others note that they have work. */
  OPERATORS: { getByName: () => ({ noteWork: async () => undefined }) },
};

/** The object on this storage, as the runtime starts it: new, evicted or after a restart alike. */
export function startObject(
  storage: ObjectStorage,
  settings: Readonly<Record<string, unknown>> = {},
): OrganisationObject {
  return new OrganisationObject(
    { storage } as unknown as DurableObjectState,
    { ...OBJECT_ENV, ...settings } as unknown as Env,
  );
}

/** The operators' object, as the runtime starts it. */
export const startOperators = (storage: ObjectStorage): OperatorsObject =>
  new OperatorsObject({ storage } as unknown as DurableObjectState, OBJECT_ENV as unknown as Env);

/** Every row of every table, for comparing what a call has changed. */
export function dumpTables({ sql }: ObjectStorage): Record<string, object[]> {
  const tables = sql.exec<{ name: string }>(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  );
  const dump = (name: string): object[] => sql.exec(`select * from ${name}`).toArray();
  return Object.fromEntries(tables.toArray().map(({ name }) => [name, dump(name)]));
}

export type TestOrganisation = Awaited<ReturnType<typeof createTestOrganisation>>;

/** An organisation in an object of its own, with a live key of each role, an operator's and a test key. */
export async function createTestOrganisation(
  limits: Partial<Limits> = {},
  bindings: Readonly<Record<string, unknown>> = {},
) {
  const storage = createObjectStorage();
  let object = startObject(storage, bindings);
  const settings = settingsRecord({ limits: { ...DEFAULT_LIMITS, ...limits } });
  const keys = {
    viewer: keyRecord({ role: 'viewer' }),
    member: keyRecord({ role: 'member' }),
    admin: keyRecord({ role: 'admin' }),
    operator: keyRecord({ role: 'admin', operator: true }),
    test: keyRecord({ role: 'member', mode: 'test' }),
  } satisfies Record<string, KeyRecord>;
  await object.create(settings);
  for (const key of Object.values(keys)) await object.insertKey(key);
  const bodyHashes = new Map<string, string | null>();
  return {
    storage,
    settings,
    keys,
    /** The object as it is now; another one after `evict`. */
    get object(): OrganisationObject {
      return object;
    },
    /** Ends the object's memory and starts it again on its storage. */
    evict(): void {
      object = startObject(storage, bindings);
    },
    authorize: (change: Partial<AuthorizeRequest> = {}) => {
      const request = authorizeRequest({ keyHash: keys.member.hash, ...change });
      if (!bodyHashes.has(request.operationId)) bodyHashes.set(request.operationId, request.bodyHash);
      return object.authorize(request);
    },
    /** With the body the operation was first authorized with. */
    commit: (operationId: string, change: CommitChange = {}) =>
      object.commit(commitRequest(operationId, { bodyHash: bodyHashes.get(operationId) ?? null, ...change })),
    usage: async () => (await object.usage()).usage,
    dump: () => dumpTables(storage),
  };
}
