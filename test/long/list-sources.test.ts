import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestStack, type TestStack } from '../support/stack.ts';

/** A running stack that reads three lists of disposable domains, one of which turns bad. */

type Page = (response: ServerResponse) => void;
const text =
  (domains: readonly string[]): Page =>
  (response) =>
    void response.end(domains.join('\n'));

const pages = new Map<string, Page>();
const server = createServer((request, response) => pages.get(request.url ?? '')?.(response));
const url = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

const NIGHT = '17 3 * * *';
const STARTED_MS = 120_000;
const NIGHT_MS = 90_000;

const thrown = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `thrown-${from + i}.com`);
/** As long as the longest public lists may become. */
const WIDE = thrown(300_000);
const CURATED = thrown(9_000, 200_000);
const CRAWLED = thrown(4_500, 205_000);
const BUSINESSES = Array.from({ length: 1_900 }, (_, i) => `business-${i}.de`);
const KNOWN = ['telekom.de', 'nhs.net', 'siemens.com', 'harvard.edu', 'x.gov'];

let stack: TestStack;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sources = ['/curated', '/crawled', '/wide'].map(url).join(',');
  stack = await startTestStack({ env: { DISPOSABLE_SOURCE_URLS: sources }, databaseDelayMs: 0 });
}, STARTED_MS);
afterAll(async () => {
  await stack.remove();
  server.closeAllConnections();
  server.close();
});

interface Report {
  readonly version: string;
  readonly block: number;
  readonly signal: number;
  readonly sources: readonly { readonly refused?: string; readonly domains?: number }[];
}

/** When the lists were last done with, 0 before the first time; null while they are being made. */
async function doneAt(): Promise<number | null> {
  const query = `select finished_at, report->>'failed' as failed from cron_step where step = 'disposable_lists'`;
  const { rows } = (await (await stack.database.query(query)).json()) as {
    rows: { finished_at: string; failed: string | null }[];
  };
  const [row] = rows;
  if (row === undefined) return 0;
  return row.failed === null ? Number(row.finished_at) : null;
}

/** The cron of the night, then the queue: what status says once the lists were made again. */
async function night(): Promise<Report> {
  const before = await doneAt();
  if (before === null) throw new Error('the lists of the night before are still being made');
  await stack.cron(NIGHT);
  while (((await doneAt()) ?? 0) <= before) await sleep(100);
  const body = (await (await stack.request('/operator/v1/status', stack.keys.operator)).json()) as {
    cron: { step: string; report: Report }[];
  };
  const lists = body.cron.find(({ step }) => step === 'disposable_lists');
  if (lists === undefined) throw new Error('status does not name the lists');
  return lists.report;
}

async function statusOf(domain: string): Promise<string> {
  const response = await stack.request('/v1/domains/check', stack.keys.viewer, { domain });
  const { status }: { status: string } = await response.json();
  return status;
}

const good = (): void => {
  pages.set('/curated', text(CURATED));
  pages.set('/crawled', text(CRAWLED));
  pages.set('/wide', text(WIDE));
};

describe('a running stack', () => {
  it(
    'puts in force what lists of 300,000 domains add, in the night they say it',
    async () => {
      good();
      const { sources, ...counts } = await night();
      expect(sources.map(({ domains }) => domains)).toEqual([9_000, 4_500, 300_000]);
      // The wide list holds both others whole, and so counts for nothing beside one.
      expect(counts).toMatchObject({ block: 4_000, signal: 296_000 });
      expect(await statusOf('thrown-206000.com')).toBe('disposable');
      expect(await statusOf('mail.thrown-3.com')).toBe('suspected');
    },
    NIGHT_MS,
  );

  it.each<{ what: string; refused: string; page: Page }>([
    { what: 'poisoned by 1,900 businesses', refused: 'gained_too_many', page: text([...CURATED, ...BUSINESSES]) },
    { what: 'poisoned by a large provider', refused: 'large_provider', page: text([...CURATED, 'gmail.com']) },
    { what: 'cut to 40%', refused: 'lost_too_many', page: text(CURATED.slice(0, 3_600)) },
    { what: 'huge', refused: 'too_large', page: (response) => void response.end('x.com\n'.repeat(2 ** 21)) },
    { what: 'longer than any list', refused: 'too_many', page: text(thrown(400_001)) },
    {
      what: 'garbage',
      refused: 'malformed',
      page: (response) => void response.end(Buffer.from(CURATED.join(' ')).reverse().fill(0xf7, 0, 99)),
    },
    { what: 'a page', refused: 'malformed', page: text(['<!doctype html>', '<title>Not found</title>']) },
    { what: 'cut off midway', refused: 'unreachable', page: (response) => cutOff(response) },
    { what: 'slow', refused: 'timeout', page: (response) => void response.write('thrown-1.com\n') },
  ])(
    'changes nothing when a list is $what, and status says why',
    async ({ page, refused }) => {
      good();
      const before = await night();
      pages.set('/curated', page);
      const after = await night();
      expect(after.sources.map((source) => source.refused)).toEqual([refused, undefined, undefined]);
      expect(after).toMatchObject({ version: before.version, block: 4_000 });
      expect(await statusOf('thrown-206000.com')).toBe('disposable');
      expect(await statusOf('business-7.de')).toBe('none');
    },
    2 * NIGHT_MS,
  );

  it(
    'blocks no known domain that a list has taken in, and only suspects an unknown business',
    async () => {
      good();
      pages.set('/curated', text([...CURATED, ...KNOWN, 'business-1.de']));
      expect((await night()).sources[0]).not.toHaveProperty('refused');
      expect(await Promise.all(KNOWN.map(statusOf))).toEqual(KNOWN.map(() => 'none'));
      expect(await statusOf('business-1.de')).toBe('suspected');
    },
    NIGHT_MS,
  );
});

function cutOff(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 1_000_000 });
  response.write(CURATED.slice(0, 6_000).join('\n'), () => response.destroy());
}
