import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Inspected, inspect } from '../scripts/bench/inspector.ts';
import { freePort } from '../scripts/stack/free-port.ts';
import { startTestStack, type TestStack } from '../test/support/stack.ts';
import { writeFindings } from './document.ts';
import { ApiDocument } from './fuzzing/document.ts';
import { grown, type HeapAtRest, heapAtRest } from './fuzzing/heap.ts';
import { PARSERS } from './fuzzing/parsers.ts';
import { BY_RUNTIME, RAW, sendRaw } from './fuzzing/raw.ts';
import { type FuzzRequest, MODES, requests } from './fuzzing/requests.ts';
import { countOr, rested, SEED } from './support/settings.ts';

/** How many requests are fuzzed. */
const COUNT = countOr(100_000);
/** Concurrent requests: more would wait for the machine rather than the service. */
const CLIENTS = 8;
const START_MS = 300_000;
const SETTLED_MS = 5_000;
/** How often the heap is measured during a run. */
const LOOKS = 5;
/** Caches are full after the first part of a run; from then on the heap at rest may grow by this much. */
const FLAT_BYTES = 5 * 2 ** 20;
/** Classes that the table names. */
const NAMED = 12;

/** Answers that follow from the stack of a machine without the Internet. */
const AWAY: Readonly<Record<string, string>> = {
  'POST /operator/v1/lists/accept': 'it reads lists of the Internet',
  'POST /integrations/ses/{connection_id}': 'Amazon’s certificate is fetched',
};

const document = new ApiDocument();
let stack: TestStack;
let inspected: Inspected;
/** After each part of the run. */
const heaps: HeapAtRest[] = [];
/** Ids that answers have named, by prefix: what paths are filled with. */
const known = new Map<string, string[]>();
const guarded = new Set<string>();
const statuses = new Map<string, number>();
const faults = new Map<string, { count: number; example: string }>();
const memory: number[] = [];
const raw: (string | number)[][] = [];
const parsed: (string | number)[][] = [];

const IDS = /\b(?:org|acct|key|u|inv|con|bj|vr|dc|sc|ck|dr|ar|au)_[0-9a-hjkmnp-tv-z]{26}\b/g;

function learn(text: string): void {
  for (const [id] of text.matchAll(IDS)) {
    if (guarded.has(id)) continue;
    const prefix = id.slice(0, id.indexOf('_'));
    const all = known.get(prefix) ?? [];
    if (all.length < 200 && !all.includes(id)) known.set(prefix, [...all, id]);
  }
}

/** The ids that a path takes, by its prefix; by default a policy's name. */
const PREFIXES: readonly (readonly [before: RegExp, prefix: string])[] = [
  [/^\/v1\/keys\/$|\/keys\/$/, 'key'],
  [/\/members\/$/, 'u'],
  [/\/invitations\/$/, 'inv'],
  [/\/connections\/$|^\/integrations\//, 'con'],
  [/\/bulk\/jobs\/$/, 'bj'],
  [/\/traces\/$/, 'vr'],
  [/\/organisations\/$/, 'org'],
];

function pathOf({ operation, params, query }: FuzzRequest): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string, at: number) => {
    const param = params[name];
    if (param !== undefined && 'text' in param) return encodeURIComponent(param.text.toWellFormed());
    const before = operation.path.slice(0, at).replaceAll(/\{\w+\}/g, 'x');
    const prefix = PREFIXES.find(([pattern]) => pattern.test(before))?.[1];
    const ids = known.get(prefix ?? '') ?? [];
    return ids[(param?.known ?? 0) % Math.max(1, ids.length)] ?? 'default';
  });
  const sent = new URLSearchParams(query.map(([name, value]) => [name, value.toWellFormed()]));
  return sent.size === 0 ? path : `${path}?${sent.toString()}`;
}

const KEYLESS = new Set(['none', 'forged']);
const keyOf = (role: string): string | null =>
  KEYLESS.has(role)
    ? role === 'none'
      ? null
      : `${stack.keys.admin.slice(0, -1)}~`
    : stack.keys[role as keyof TestStack['keys']];

const note = (fault: string, example: string): void => {
  const before = faults.get(fault);
  faults.set(fault, { count: (before?.count ?? 0) + 1, example: before?.example ?? example });
};

async function send(request: FuzzRequest): Promise<void> {
  const { operation, mode, role, headers, body } = request;
  const called = `${operation.method} ${operation.path}`;
  const path = pathOf(request);
  const key = keyOf(role);
  const answer = await fetch(`${stack.base_url}${path}`, {
    method: operation.method,
    headers: Object.assign({}, headers, key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(body === null ? {} : { body }),
    redirect: 'manual',
  });
  const text = await answer.text();
  learn(text);
  const { status } = answer;
  statuses.set(`${mode} ${status}`, (statuses.get(`${mode} ${status}`) ?? 0) + 1);
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const example = `${mode}, ${role}: ${operation.method} ${path.slice(0, 120)} ${typeof body === 'string' ? body.slice(0, 120) : ''} → ${text.slice(0, 160)}`;
  if (status >= 500 && AWAY[called] === undefined) return note(`${called}: ${status}`, example);
  if (answer.headers.get('x-trace-id') === null) note(`${called}: no X-Trace-Id`, example);
  // A text in place of an id may lead to another path, or to none.
  const isElsewhere = mode === 'broken place' && (status === 404 || status === 405);
  const fault = isElsewhere ? null : document.faultOf(operation, status, type, text);
  if (fault !== null) note(`${called}: ${fault}`, example);
}

/** The runtime's memory, in MB. */
const residentMb = (): number => {
  const runtime = stack.processes().find(({ name }) => name === 'workerd');
  const status = readFileSync(`/proc/${runtime?.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024);
};

const megabytes = (bytes = 0): string => (bytes / 2 ** 20).toFixed(1);
/** What grew between the first part and the last, by class. */
function heapGrowth(): (string | number)[][] {
  const [first, last] = [heaps[0], heaps.at(-1)];
  if (first === undefined || last === undefined) return [];
  return grown(first, last, NAMED).map(({ name, before, after }) => [
    `\`${name.replaceAll('`', '') || '–'}\``,
    `${before.count} → ${after.count}`,
    `${Math.round(before.bytes / 1_024)} → ${Math.round(after.bytes / 1_024)}`,
  ]);
}

/** The bugs in the Worker's log. */
const bugs = (): string[] =>
  readFileSync(`${stack.stateDir}/worker.log`, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"event":"bug"'));

const asAdmin = async (method: string, path: string, body?: unknown, key = stack.keys.admin): Promise<string> => {
  const answer = await fetch(`${stack.base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.text();
};

beforeAll(async () => {
  const port = await freePort();
  stack = await startTestStack({ databaseDelayMs: 0, isLongLived: true, args: ['--inspector-port', String(port)] });
  inspected = await inspect(new URL(`http://127.0.0.1:${port}`), 'worker');
  const limits = { rate_per_minute: 1_000_000, verification_quota: 0 };
  await asAdmin('PATCH', `/operator/v1/organisations/${stack.org_id}`, limits, stack.keys.operator);
  // Requests must not revoke the run's keys or delete its organisation.
  for (const key of Object.values(stack.keys)) {
    const me = await asAdmin('GET', '/v1/me', undefined, key);
    for (const [id] of me.matchAll(IDS)) guarded.add(id);
  }
  for (const kind of ['resend', 'postmark', 'mailgun', 'sendgrid', 'ses', 'stripe'])
    learn(await asAdmin('POST', '/v1/connections', { kind, secret: 'whsec_ExampleOfASecret' }));
  for (let made = 0; made < 3; made += 1) {
    learn(await asAdmin('POST', '/v1/bulk/jobs', { name: 'fuzzed' }));
    learn(await asAdmin('POST', '/v1/verify', { email: 'ada@business.test' }));
    learn(await asAdmin('POST', '/v1/keys', { name: 'fuzzed', role: 'viewer' }));
    learn(await asAdmin('POST', '/operator/v1/organisations', { name: 'fuzzed' }, stack.keys.operator));
  }
}, START_MS);

describe('requests made of the document', () => {
  it(
    `${COUNT} of them: none fails, and each answer is as documented`,
    async () => {
      const all = requests(document, COUNT, SEED);
      let sent = 0;
      const client = async (until: number): Promise<void> => {
        while (sent < until) {
          sent += 1;
          const { value: request, done } = all.next();
          if (done === true) return;
          await rested();
          await send(request).catch((error: Error) =>
            note(`${request.operation.method} ${request.operation.path}: no answer`, error.message),
          );
        }
      };
      for (let part = 1; part <= LOOKS; part += 1) {
        const until = Math.ceil((part * COUNT) / LOOKS);
        await Promise.all(Array.from({ length: CLIENTS }, () => client(until)));
        // The isolate stands still for a snapshot: what is behind the answers is done by then.
        await sleep(SETTLED_MS);
        heaps.push(await heapAtRest(inspected));
        memory.push(residentMb());
        process.stdout.write(
          `${sent} sent, heap ${megabytes(heaps.at(-1)?.bytes)} MB, resident ${memory.at(-1)} MB, ${faults.size} kinds of fault\n`,
        );
      }
      for (const line of bugs()) process.stderr.write(`${line}\n`);
      expect([...faults].map(([fault, { count, example }]) => `${count} × ${fault}: ${example}`)).toEqual([]);
    },
    3 * 3_600_000,
  );

  it('leave the heap at rest as large as after the first part of them', () => {
    const [first, last] = [heaps[0]?.bytes ?? 0, heaps.at(-1)?.bytes ?? Number.POSITIVE_INFINITY];
    expect(last - first, heapGrowth().flat().join(' ')).toBeLessThan(FLAT_BYTES);
  });
});

describe('a parser by itself', () => {
  it.each(Object.entries(PARSERS))('%s', (name, check) => {
    const fault = check(COUNT, SEED);
    parsed.push([
      name,
      COUNT,
      fault === null ? 'each is read or refused' : `**failed**: \`${fault.replaceAll('`', '')}\``,
    ]);
    expect(fault).toBeNull();
  });
});

describe('bytes on a socket', () => {
  it.each(Object.entries(RAW))('%s', async (name, bytes) => {
    const got = await sendRaw(Number(new URL(stack.base_url).port), bytes(stack.keys.member));
    const health = await fetch(`${stack.base_url}/health`);
    const words = [...new Set(got)].join(', ') || 'closed without an answer';
    raw.push([name, [words, BY_RUNTIME[name]].filter((each) => each !== undefined).join(': '), health.status]);
    expect(health.status).toBe(200);
    if (BY_RUNTIME[name] === undefined) expect(got).not.toContain(500);
    // Its own answers alone: nothing behind the end of a request was taken for another.
    if (name !== 'many at once') expect(got.length).toBeLessThanOrEqual(1);
  });
});

afterAll(async () => {
  const byStatus = (mode: string) =>
    [...statuses]
      .flatMap(([name, count]) => (name.startsWith(`${mode} `) ? [`${name.slice(mode.length + 1)} × ${count}`] : []))
      .sort();
  writeFindings('fuzzing', {
    summary: `${COUNT} requests (seed ${SEED}) to ${document.operations.length} operations on the whole local stack, ${CLIENTS} side by side, with the keys of each role, without one and with a forged one; ${raw.length} kinds of bytes on a socket. ${faults.size === 0 ? 'No answer is a failure of the service, and each is as the document says.' : `Kinds of fault: ${faults.size}.`} A 503 is as good where a host of the Internet is asked: ${Object.entries(
      AWAY,
    )
      .map(([called, why]) => `\`${called}\` (${why})`)
      .join(
        ', ',
      )}. After each fifth of the run, in MB: the isolate’s heap at rest ${heaps.map(({ bytes }) => megabytes(bytes)).join(', ')}; what the runtime takes of the machine ${memory.join(', ')} (shown, not judged: the inspector’s snapshots are in it).`,
    tables: [
      {
        title: 'Answers',
        columns: ['requests', 'statuses'],
        rows: MODES.map((mode) => [mode, byStatus(mode).join(', ')]),
      },
      {
        title: 'What grew in the heap at rest, between the first fifth and the last',
        columns: ['class', 'alive', 'KB'],
        rows: heapGrowth(),
      },
      { title: 'Parsers, each by itself', columns: ['parser', 'inputs', 'what came out'], rows: parsed },
      { title: 'Bytes on a socket', columns: ['sent', 'answered', 'health afterwards'], rows: raw },
      ...(faults.size === 0
        ? []
        : [
            {
              title: 'Faults',
              columns: ['fault', 'times', 'the first'],
              rows: [...faults].map(([fault, { count, example }]) => [
                `\`${fault}\``,
                count,
                `\`${example.replaceAll('`', '')}\``,
              ]),
            },
          ]),
    ],
  });
  inspected?.close();
  await stack?.remove();
});
