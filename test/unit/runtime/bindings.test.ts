import { describe, expect, it } from 'vitest';
import { failedDependency } from '../../../src/kernel/errors.ts';
import { withDependencyErrors } from '../../../src/runtime/bindings.ts';

const AWAY = new Error('internal error (10001)');
const fails = () => Promise.reject(AWAY);

const bucket = {
  name: 'files',
  put: fails,
  head: () => {
    throw AWAY;
  },
  list: () => Promise.reject(new TypeError('`prefix` must be a string')),
  async get(key: string) {
    return { size: this.name.length, key, arrayBuffer: fails };
  },
  getNone: async () => null,
  hang: (...bodies: readonly ReadableStream[]) => new Promise<never>(() => void bodies),
};
const wrapped = withDependencyErrors('r2', bucket, ['get', 'getNone'], 1);

const thrownBy = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => null,
    (error: unknown) => error,
  );

describe('a binding', () => {
  it.each<[string, () => Promise<unknown>, string | null]>([
    ['that rejects', () => wrapped.put(), 'r2'],
    ['that throws', async () => wrapped.head(), 'r2'],
    ['whose answer breaks off', async () => (await wrapped.get('key')).arrayBuffer(), 'r2'],
    ['that never answers', () => wrapped.hang(), 'r2'],
    ['that was asked for what can’t be', () => wrapped.list(), null],
  ])('%s fails as what it is', async (_, work, dependency) => {
    const error = await thrownBy(work);
    expect(error).toBeInstanceOf(Error);
    expect(failedDependency(error)).toBe(dependency);
  });

  it('is waited for while it stores a body as it arrives', async () => {
    const storing = wrapped.hang(new ReadableStream());
    expect(await Promise.race([storing, wrapped.hang().catch(() => 'the other has failed')])).toBe(
      'the other has failed',
    );
  });

  it('answers as it does by itself', async () => {
    expect(wrapped.name).toBe('files');
    expect(await wrapped.get('key')).toMatchObject({ size: 5, key: 'key' });
    expect(await wrapped.getNone()).toBeNull();
  });
});
