/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { OrganisationObject } from '../../src/organisation/object.ts';
import { OperatorsObject } from '../../src/organisation/operators-object.ts';

type AnyMethod = (this: unknown, ...given: unknown[]) => unknown;

/** Billed operations of a request. `rows`: rows written in objects, including set alarms. */
export interface Operations {
  readonly calls: readonly string[];
  readonly rows: number;
  readonly kvReads: number;
  readonly kvWrites: number;
  readonly r2: number;
  /** Messages to queues. */
  readonly queued: number;
}

const calls: string[] = [];
const cursors: SqlStorageCursor<never>[] = [];
const NONE = { alarms: 0, kvReads: 0, kvWrites: 0, r2: 0, queued: 0 };
const counts = { ...NONE };

/** The watched object with its storage; other objects in the isolate belong to other tests. */
const watched = new Set<unknown>();

/** Calls `heard` after every call of a method on a counted object. */
function listen(
  prototype: object,
  name: string,
  heard: (answer: unknown) => void,
  isCounted: (of: unknown) => boolean = (of) => watched.has(of),
): void {
  const { value } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
  const method = value as AnyMethod;
  const listening: AnyMethod = function (...given) {
    const answer = method.apply(this, given);
    if (isCounted(this)) heard(answer);
    return answer;
  };
  Object.defineProperty(prototype, name, { value: listening, configurable: true, writable: true });
}

/** Members of the class that are no RPC methods. */
const NO_CALLS = new Set(['constructor', 'alarm']);

/** Counts from now on, in this isolate, which the Worker and its objects share with the tests. */
export async function startCounting(object: DurableObjectStub): Promise<void> {
  await runInDurableObject(object, (_, { storage }) => {
    listen(Object.getPrototypeOf(storage.sql), 'exec', (cursor) => cursors.push(cursor as SqlStorageCursor<never>));
    listen(Object.getPrototypeOf(storage), 'setAlarm', () => void (counts.alarms += 1));
  });
  for (const { prototype } of [OrganisationObject, OperatorsObject]) {
    for (const name of Object.getOwnPropertyNames(prototype).filter((each) => !NO_CALLS.has(each)))
      listen(prototype, name, () => calls.push(name));
  }
  const always = () => true;
  const kv = Object.getPrototypeOf(env.FACTS);
  listen(kv, 'get', () => void (counts.kvReads += 1), always);
  listen(kv, 'put', () => void (counts.kvWrites += 1), always);
  const r2 = Object.getPrototypeOf(env.BULK_FILES);
  for (const name of ['put', 'get', 'list', 'createMultipartUpload'])
    listen(r2, name, () => void (counts.r2 += 1), always);
  const queue = Object.getPrototypeOf(env.WAKE_QUEUE);
  for (const name of ['send', 'sendBatch']) listen(queue, name, () => void (counts.queued += 1), always);
}

/** Counts this object from now on, and no other. */
export async function watch(object: DurableObjectStub): Promise<void> {
  watched.clear();
  await runInDurableObject(object, (instance, { storage }) => {
    for (const each of [instance, storage, storage.sql]) watched.add(each);
  });
  counted();
}

/** The operations since the last call. */
export function counted(): Operations {
  const rows = cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, counts.alarms);
  const { kvReads, kvWrites, r2, queued } = counts;
  const all = { calls: [...calls], rows, kvReads, kvWrites, r2, queued };
  calls.length = 0;
  cursors.length = 0;
  Object.assign(counts, NONE);
  return all;
}
