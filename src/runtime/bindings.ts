import { LATE, MINUTE_MS, SECOND_MS, within } from '../kernel/clock.ts';
import { type Dependency, DependencyError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import type { OperatorsRpc, OrganisationRpc } from '../organisation/api.ts';

/** Many times what a call takes. A late one has failed, although it may have done its work. */
const ANSWER_TIMEOUT_MS = 10 * SECOND_MS;
/** A body stored as it arrives takes as long as its sender: the largest file at 0.5 Mbit/s. */
const STREAM_TIMEOUT_MS = 15 * MINUTE_MS;

/** The bindings that can fail, and their dependencies. `handles`: methods whose result is wrapped too. */
const BINDINGS = {
  FACTS: { dependency: 'kv', handles: [] },
  BULK_FILES: { dependency: 'r2', handles: ['get', 'createMultipartUpload'] },
  WAKE_QUEUE: { dependency: 'queue', handles: [] },
  BULK_QUEUE: { dependency: 'queue', handles: [] },
  NIGHTLY_QUEUE: { dependency: 'queue', handles: [] },
} as const satisfies Readonly<Record<string, { dependency: Dependency; handles: readonly string[] }>>;

export type StoreBindings = Pick<Env, keyof typeof BINDINGS>;

const known = new WeakMap<object, StoreBindings>();

/** KV, R2 and the queues, wrapped once an isolate so that failures and silence count as outages, not bugs. */
export function bindingsOf(env: Env): StoreBindings {
  const made = known.get(env) ?? wrapAll(env);
  known.set(env, made);
  return made;
}

const wrapAll = (env: Env): StoreBindings =>
  Object.fromEntries(
    Object.entries(BINDINGS).map(([name, { dependency, handles }]) => {
      const binding: object | undefined = env[name as keyof StoreBindings];
      return [name, binding && withDependencyErrors(dependency, binding, handles)];
    }),
  ) as unknown as StoreBindings;

export function withDependencyErrors<T extends object>(
  dependency: Dependency,
  binding: T,
  handles: readonly string[],
  timeoutMs = ANSWER_TIMEOUT_MS,
): T {
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...input: unknown[]): Promise<unknown> => {
        try {
          const isStream = input.some((each) => each instanceof ReadableStream);
          const work = Promise.resolve(value.apply(target, input) as unknown);
          const answer = await within(work, isStream ? STREAM_TIMEOUT_MS : timeoutMs);
          if (answer === LATE) throw new Error('no answer in time');
          const isHandle = typeof answer === 'object' && answer !== null && handles.includes(String(name));
          return isHandle ? withDependencyErrors(dependency, answer, [], timeoutMs) : answer;
        } catch (cause) {
          // The runtime throws a TypeError for invalid arguments: our bug.
          if (cause instanceof TypeError) throw cause;
          throw new DependencyError(dependency, `${String(name)} failed`, { cause });
        }
      };
    },
  });
}

/** Near the database. The hint counts only when this call creates the object. */
const near = (region: string | null) => (region === null ? {} : { locationHint: region as DurableObjectLocationHint });

/** RPC's own types make each optional field of an answer one that may be undefined. */
export const organisationStub = (env: Env, region: string | null, id: Id<'org'>): OrganisationRpc =>
  env.ORGANISATION.getByName(id, near(region)) as unknown as OrganisationRpc;

export const operatorsStub = (env: Env, region: string | null): OperatorsRpc =>
  env.OPERATORS.getByName('operators', near(region));
