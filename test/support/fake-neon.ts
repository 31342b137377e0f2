import { vi } from 'vitest';
import { commandOf } from '../../src/storage/postgres/client.ts';

/**
 * How the endpoint treats a statement: writes it, returns another's answer, refuses its content, is unreachable, never
 * answers, or returns a wrong command or row count.
 */
export type NeonAnswer =
  | 'written'
  | 'stray'
  | 'down'
  | 'hanging'
  | { readonly sqlState: string }
  | { readonly command?: string; readonly rowCount?: number };

interface Query {
  readonly query: string;
  readonly params: string[];
}

const result = (rows: readonly string[][]) => {
  const fields = (rows[0] ?? []).map((_, column) => ({ name: `column${column}`, dataTypeID: 25 }));
  return { command: 'SELECT', rowCount: rows.length, rows, fields };
};
const echoOf = ({ params }: Query) => result([params]);

export interface Statement {
  readonly table: string;
  /** Ids of the records, where the statement writes traces. */
  readonly traceIds: readonly string[];
  /** All parameters, as JSON. */
  readonly values: string;
}

export interface FakeNeon {
  readonly statements: Statement[];
  answer: (statement: Statement) => NeonAnswer | Promise<NeonAnswer>;
}

/** Stands in for Neon's HTTP endpoint: records statements and answers as the test says; default `written`. */
export function stubNeon(): FakeNeon {
  const endpoint: FakeNeon = { statements: [], answer: () => 'written' };
  vi.stubGlobal('fetch', async (_url: string, init: { body: string }) => {
    const { queries } = JSON.parse(init.body) as { queries: [Query, Query] };
    const [receipt, { query, params }] = queries;
    const table = query.includes('insert into trace (') ? 'trace' : (/insert into "?(\w+)/.exec(query)?.[1] ?? query);
    const traces = table === 'trace' ? (JSON.parse(params[1] ?? '[]') as { id: string }[]) : [];
    const traceIds = traces.map(({ id }) => id);
    const statement: Statement = { table, traceIds, values: JSON.stringify(params) };
    endpoint.statements.push(statement);
    const answer = await endpoint.answer(statement);
    if (answer === 'hanging') return new Promise<never>(() => undefined);
    if (answer === 'down') throw new TypeError('fetch failed');
    const written = { ...result([]), command: commandOf(query) };
    if (answer === 'written') return Response.json({ results: [echoOf(receipt), written] });
    if (answer === 'stray') return Response.json({ results: [echoOf({ ...receipt, params: ['another'] }), written] });
    if (!('sqlState' in answer)) return Response.json({ results: [echoOf(receipt), { ...written, ...answer }] });
    return Response.json({ message: 'refused', severity: 'ERROR', code: answer.sqlState }, { status: 400 });
  });
  return endpoint;
}
