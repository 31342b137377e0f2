import { vi } from 'vitest';

/** What the endpoint does with a statement: takes it, refuses its content, can't be reached, or never answers. */
export type NeonAnswer = 'written' | 'down' | 'hanging' | { readonly sqlState: string };

export interface Statement {
  readonly table: string;
  /** Ids of the records, where the statement writes traces. */
  readonly traceIds: readonly string[];
  /** Everything the statement was sent with, as JSON. */
  readonly values: string;
}

export interface FakeNeon {
  readonly statements: Statement[];
  answer: (statement: Statement) => NeonAnswer | Promise<NeonAnswer>;
}

/** Stands in for Neon's HTTP endpoint: remembers what it was sent and answers what the test says, at first `written`. */
export function stubNeon(): FakeNeon {
  const endpoint: FakeNeon = { statements: [], answer: () => 'written' };
  vi.stubGlobal('fetch', async (_url: string, init: { body: string }) => {
    const { query, params } = JSON.parse(init.body) as { query: string; params: string[] };
    const table = query.includes('insert into trace (') ? 'trace' : (/insert into "?(\w+)/.exec(query)?.[1] ?? query);
    const traces = table === 'trace' ? (JSON.parse(params[1] ?? '[]') as { id: string }[]) : [];
    const traceIds = traces.map(({ id }) => id);
    const statement: Statement = { table, traceIds, values: JSON.stringify(params) };
    endpoint.statements.push(statement);
    const answer = await endpoint.answer(statement);
    if (answer === 'hanging') return new Promise<never>(() => undefined);
    if (answer === 'down') throw new TypeError('fetch failed');
    if (answer === 'written') return Response.json({ command: 'INSERT', rowCount: 0, rows: [], fields: [] });
    return Response.json({ message: 'refused', severity: 'ERROR', code: answer.sqlState }, { status: 400 });
  });
  return endpoint;
}
