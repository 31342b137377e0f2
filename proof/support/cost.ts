import type { startService } from '../../test/support/service.ts';

type Service = Awaited<ReturnType<typeof startService>>;

/** The cost of a request and its deferred work; `SQLite`: statements on the objects' SQLite. */
export type Cost = Readonly<Record<'object' | 'SQLite' | 'Postgres' | 'KV' | 'R2' | 'queues', number>>;

const R2_CALLS = ['get', 'put', 'delete', 'list', 'createMultipartUpload'] as const;

/** Counts what a service does from now on. */
export function countCosts(service: Service) {
  const counts = { postgres: 0, r2: 0 };
  const statements = new Map<string, number>();
  const watched = new Set<string>();

  const { query } = service.database;
  const transaction: typeof service.database.transaction = service.database.transaction.bind(service.database);
  service.database.query = (text, values) => {
    counts.postgres += 1;
    return query(text, values);
  };
  service.database.transaction = (mode, work) =>
    transaction(mode, (run) =>
      work((text, values) => {
        counts.postgres += 1;
        return run(text, values);
      }),
    );
  const bucket = service.files.bucket as Record<string, (...given: unknown[]) => unknown>;
  for (const name of R2_CALLS) {
    const call = bucket[name];
    bucket[name] = (...given) => {
      counts.r2 += 1;
      return call?.apply(bucket, given);
    };
  }

  /** Objects are made on the way: each is watched from the request after. */
  function watchObjects(): void {
    for (const [id, { storage }] of service.objects) {
      if (watched.has(id)) continue;
      watched.add(id);
      const exec = storage.sql.exec.bind(storage.sql);
      storage.sql.exec = (...given: Parameters<typeof exec>) => {
        statements.set(id, (statements.get(id) ?? 0) + 1);
        return exec(...given) as never;
      };
    }
  }

  const now = (): Cost => ({
    object: service.calls.object,
    SQLite: [...statements.values()].reduce((sum, each) => sum + each, 0),
    Postgres: counts.postgres,
    KV: service.calls.kvReads + service.calls.kvWrites,
    R2: counts.r2,
    queues: service.wakes.length + service.jobs.length + service.nights.length,
  });

  return {
    /** Statements on the SQLite of one organisation's object. */
    statementsOf: (id: string): number => statements.get(id) ?? 0,
    /** The answer, and what it and the work behind it cost. */
    async of<T>(request: () => Promise<T>): Promise<{ readonly answer: T; readonly cost: Cost }> {
      await service.settle();
      watchObjects();
      const before = now();
      const answer = await request();
      await service.settle();
      const after = now();
      const names = Object.keys(before) as (keyof Cost)[];
      return { answer, cost: Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as never };
    },
  };
}

/** Leaves out zero counts. */
export const costText = (cost: Cost): string =>
  Object.entries(cost)
    .flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${count}`]))
    .join(', ') || 'nothing';
