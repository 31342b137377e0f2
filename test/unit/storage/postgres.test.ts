import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failedDependency } from '../../../src/kernel/errors.ts';
import { connectDatabase, sqlState } from '../../../src/storage/postgres/client.ts';

const db = connectDatabase({ url: 'postgresql://user:password@db.localhost/main', httpUrl: null });
afterEach(() => void vi.unstubAllGlobals());

const text = (name: string) => ({ name, dataTypeID: 25 });
const echo = (receipt: unknown) => ({ command: 'SELECT', rowCount: 1, fields: [text('receipt')], rows: [[receipt]] });
const written = { command: 'INSERT', rowCount: 1, fields: [], rows: [] };
const found = { command: 'SELECT', rowCount: 1, fields: [text('name')], rows: [['Ada']] };

/** The endpoint answers this to whatever it is sent. */
function stubEndpoint(answer: (receipt: string) => Response | Promise<Response>): void {
  vi.stubGlobal('fetch', async (_: string, init: { body: string }) => {
    const { queries } = JSON.parse(init.body) as { queries: { params: string[] }[] };
    return answer(queries[0]?.params[0] ?? '');
  });
}

const ask = () => db.execute(sql`select name from people`);
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'believed',
    (error: unknown) => error,
  );

it('believes the answer to its own statement', async () => {
  stubEndpoint((receipt) => Response.json({ results: [echo(receipt), found] }));
  expect(await ask()).toMatchObject({ rows: [{ name: 'Ada' }] });
});

describe('is an outage, and nothing is believed', () => {
  it.each<[string, (receipt: string) => unknown]>([
    ['the answer to another statement', () => written],
    ['the answer to another batch', () => ({ results: [echo('another'), written] })],
    ['two answers to other statements', () => ({ results: [written, written] })],
    ['an echo alone', (receipt) => ({ results: [echo(receipt)] })],
    ['more answers than statements', (receipt) => ({ results: [echo(receipt), written, written] })],
    ['an echo behind the answer', (receipt) => ({ results: [written, echo(receipt)] })],
    ['no result behind the echo', (receipt) => ({ results: [echo(receipt), {}] })],
    ['rows of another width', (receipt) => ({ results: [echo(receipt), { ...found, rows: [['Ada', '1']] }] })],
    ['rows that are none', (receipt) => ({ results: [echo(receipt), { ...found, rows: ['Ada'] }] })],
    ['results that are none', () => ({ results: 'none' })],
    ['null', () => null],
    ['a list', () => []],
  ])('%s', async (_, answer) => {
    stubEndpoint((receipt) => Response.json(answer(receipt)));
    expect(failedDependency(await failureOf(ask()))).toBe('postgres');
  });

  const endless = () =>
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(2 ** 20).fill(0x20)) });

  it.each<[string, () => Response]>([
    ['an answer without end', () => new Response(endless())],
    ['a refusal without end', () => new Response(endless(), { status: 400 })],
    ['no JSON', () => new Response('<html>')],
    ['a refusal that is not JSON', () => new Response('<html>', { status: 400 })],
    ['a refusal of null', () => Response.json(null, { status: 400 })],
    ['a refusal without a code', () => Response.json({ message: 'the endpoint is disabled' }, { status: 400 })],
    ['a failure of the proxy', () => new Response('bad gateway', { status: 502 })],
    ['an answer that breaks off', () => new Response(broken())],
  ])('%s', async (_, answer) => {
    stubEndpoint(answer);
    expect(failedDependency(await failureOf(ask()))).toBe('postgres');
  });

  const broken = () =>
    new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"results":['));
        controller.error(new Error('reset'));
      },
    });

  it('no server at the address', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    expect(failedDependency(await failureOf(ask()))).toBe('postgres');
  });
});

it('reads no more of an endless answer than the limit', async () => {
  let mebibytes = 0;
  const body = new ReadableStream({
    pull(controller) {
      mebibytes += 1;
      controller.enqueue(new Uint8Array(2 ** 20).fill(0x20));
    },
  });
  stubEndpoint(() => new Response(body));
  await failureOf(ask());
  expect(mebibytes).toBeLessThan(40);
});

describe('an error of Postgres', () => {
  it.each([
    ['08006', 'postgres'],
    ['25006', 'postgres'],
    ['28P01', 'postgres'],
    ['3D000', 'postgres'],
    ['40001', 'postgres'],
    ['53300', 'postgres'],
    ['57P01', 'postgres'],
    ['57014', 'postgres'],
    ['58030', 'postgres'],
    ['XX000', 'postgres'],
    ['22001', null],
    ['23505', null],
    ['42P01', null],
    ['55P03', null],
  ])('%s is an outage of %s', async (code, dependency) => {
    stubEndpoint(() => Response.json({ message: 'refused', severity: 'ERROR', code }, { status: 400 }));
    const error = await failureOf(ask());
    expect([sqlState(error), failedDependency(error)]).toEqual([code, dependency]);
  });
});
