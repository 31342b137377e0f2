import type { startService } from '../../test/support/service.ts';

type Service = Awaited<ReturnType<typeof startService>>;

/** What a request made the service do, its work behind the answer included. */
export interface Cost {
  readonly objectCalls: number;
  /** Statements on the SQLite of the objects. */
  readonly objectStatements: number;
  readonly postgresStatements: number;
  readonly kv: number;
  readonly r2: number;
  readonly queued: number;
}

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
    objectCalls: service.calls.object,
    objectStatements: [...statements.values()].reduce((sum, each) => sum + each, 0),
    postgresStatements: counts.postgres,
    kv: service.calls.kvReads + service.calls.kvWrites,
    r2: counts.r2,
    queued: service.wakes.length + service.jobs.length + service.nights.length,
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

const WORDS: readonly (readonly [keyof Cost, string])[] = [
  ['objectCalls', 'object'],
  ['objectStatements', 'SQLite'],
  ['postgresStatements', 'Postgres'],
  ['kv', 'KV'],
  ['r2', 'R2'],
  ['queued', 'queues'],
];

/** Without what was not done. */
export const costText = (cost: Cost): string =>
  WORDS.flatMap(([name, word]) => (cost[name] === 0 ? [] : [`${word} ${cost[name]}`])).join(', ') || 'nothing';
