import { setTimeout as sleep } from 'node:timers/promises';
import Papa from 'papaparse';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Usage } from '../../src/contract/account.ts';
import type { BulkJob } from '../../src/contract/bulk.ts';
import type { TraceList } from '../../src/contract/traces.ts';
import { HOUR_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { BulkClient, PHASES, type Phase } from '../support/bulk-client.ts';
import { customerFile } from '../support/customer-file.ts';
import { MortalStack } from '../support/mortal-stack.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { says, startVendorStage } from '../support/vendor-stage.ts';
import type { Behaviour } from '../support/vendors/simulator.ts';

/** 25 of them take about six minutes. */
const KILLS = Number(process.env.BULK_KILLS ?? 5);
const SEED = Number(process.env.BULK_KILLS_SEED ?? Date.now() % 100_000);
/** Paid answers are checkpointed at least this often. */
const UNSAVED_MAX = 10;

const FILE = customerFile(600);

/** The vendor's answer and its delay follow from the address's number alone. */
function answerFor(email: string): Behaviour {
  const n = Number(/\d+/.exec(email)?.[0]);
  const role = email.startsWith('info@');
  const afterMs = 100 + ((n * 37) % 300);
  if (n % 9 === 2) return { ...says(email, { verdict: 'undeliverable', role }), afterMs };
  if (n % 31 === 5) return { ...says(email, { verdict: 'catch_all', acceptsAll: true, role }), afterMs };
  if (n % 37 === 6) return { ...says(email, { verdict: 'risky', role, variant: n }), afterMs };
  return { ...says(email, { role }), afterMs };
}

/** Clock offset that keeps both runs within one UTC month. */
function firstOffsetS(): number {
  const later = new Date(Date.now() + 2 * HOUR_MS);
  return later.getUTCMonth() === new Date().getUTCMonth() ? 0 : (2 * HOUR_MS) / SECOND_MS;
}

/** A question as the vendor received it; times by `performance.now()`. */
interface Question {
  readonly email: string;
  readonly at: number;
  readonly answeredAt: number;
}

interface Course {
  readonly stack: MortalStack;
  readonly client: BulkClient;
  readonly questions: readonly Question[];
  /** Addresses asked about. */
  readonly asked: () => number;
}

/** Runs one job on a service of its own. The client continues until `disturb` has ended. */
async function run(offsetS: number, disturb: (course: Course) => Promise<void>) {
  const vendor = await startVendorStage();
  const questions: Question[] = [];
  const known = new Set<string>();
  vendor.play((_, email) => {
    const behaviour = answerFor(email);
    const at = performance.now();
    questions.push({ email, at, answeredAt: at + behaviour.afterMs });
    known.add(email);
    return behaviour;
  });
  const settings = Object.entries(vendor.settings).filter(([name]) => name.startsWith('ZEROBOUNCE_'));
  const stack = await MortalStack.start(Object.fromEntries(settings), offsetS);
  try {
    const client = new BulkClient(stack, FILE.text);
    let isOver = false;
    const disturbed = disturb({ stack, client, questions, asked: () => known.size }).finally(() => {
      isOver = true;
    });
    const [downloads] = await Promise.all([client.run(() => isOver), disturbed]);
    const endedAt = performance.now();
    const { counts, progress, rows, unique, invalid }: BulkJob = await client.job();
    return {
      downloads,
      endedAt,
      questions,
      asked: known.size,
      reachedAt: client.reachedAt,
      deaths: stack.deaths,
      job: { counts, progress, rows, unique, invalid },
      usage: JSON.parse(await stack.request('GET', '/v1/usage')) as Usage,
      traces: await tracesOf(stack, client.id),
    };
  } finally {
    await stack.remove();
    await vendor.stop();
  }
}

type Run = Awaited<ReturnType<typeof run>>;

async function tracesOf(stack: MortalStack, job: string): Promise<string[]> {
  const ids: string[] = [];
  for (let rest: string | null = ''; rest !== null;) {
    const text = await stack.request('GET', `/v1/traces?bulk_job_id=${job}&limit=200${rest}`);
    const { traces, cursor } = JSON.parse(text) as TraceList;
    ids.push(...traces.map(({ trace_id: id }) => id));
    rest = cursor && `&cursor=${cursor}`;
  }
  return ids;
}

interface Moment {
  readonly of: string;
  readonly isReached: (course: Course) => boolean;
  readonly afterMs: number;
}

const draws = seededRandom(SEED);

/** Phases of a job, their share of the kills, how each begins and how long it lasts undisturbed. */
function partsOf({ reachedAt, questions, asked, endedAt }: Run) {
  const reached =
    (phase: Phase) =>
    ({ client }: Course): boolean =>
      PHASES.indexOf(client.phase) >= PHASES.indexOf(phase);
  const from = (phase: Phase): number => reachedAt[phase] ?? 0;
  const lastAnswerAt = Math.max(...questions.map(({ answeredAt }) => answeredAt));
  return [
    { of: 'upload', share: 0.12, begins: reached('uploading'), ms: from('starting') - from('uploading') },
    { of: 'start', share: 0.08, begins: reached('starting'), ms: from('running') - from('starting') },
    { of: 'run', share: 0.6, begins: (course: Course, part: number) => course.asked() >= part * asked, ms: 250 },
    { of: 'last chunk', share: 0.08, begins: (course: Course) => course.asked() >= asked, ms: endedAt - lastAnswerAt },
    { of: 'download', share: 0.12, begins: reached('downloading'), ms: endedAt - from('downloading') },
  ];
}

/** Divides a life into as many equal parts as there are kills, and picks a moment in each. */
function moments(undisturbed: Run): Moment[] {
  const parts = partsOf(undisturbed);
  return Array.from({ length: KILLS }, (_, kill): Moment => {
    let left = (kill + draws.uniform()) / KILLS;
    const part = parts.find(({ share }) => (left -= share) < 0) ?? parts.at(-1);
    if (part === undefined) throw new Error('a life without parts');
    const { of, share, begins, ms } = part;
    const place = 1 + left / share;
    return { of, isReached: (course) => begins(course, place), afterMs: draws.uniform() * 1.2 * ms };
  });
}

interface Kill {
  readonly of: string;
  readonly phase: Phase;
  readonly keepsCache: boolean;
}

const kills: Kill[] = [];
let undisturbed: Run;
let killed: Run;

beforeAll(async () => {
  process.stdout.write(`bulk kills: ${KILLS}, BULK_KILLS_SEED=${SEED}\n`);
  const offsetS = firstOffsetS();
  undisturbed = await run(offsetS, async () => undefined);
  const planned = moments(undisturbed);
  killed = await run(offsetS, async (course) => {
    for (const { of, isReached, afterMs } of planned) {
      while (!isReached(course)) await sleep(2);
      await sleep(afterMs);
      const kill: Kill = { of, phase: course.client.phase, keepsCache: draws.uniform() < 0.5 };
      kills.push(kill);
      await course.stack.killAndRestart(kill.keepsCache);
    }
  });
}, 1_800_000);

describe('a job whose runtime is killed at random moments of its life', () => {
  /** Trace ids are a job's own. */
  const linesOf = (text = ''): string[] => text.replaceAll(/\bvr_[0-9a-z]+/g, 'vr_').split('\r\n');

  /** Evidence ages during a restart, so the sixth digit of a number may move. */
  const isAlike = (line: string, other = ''): boolean => {
    const cut = (text: string) => text.split(/(?<=,)(0\.\d+)(?=,)/);
    const [one, two] = [cut(line), cut(other)];
    const isNear = (cell: string, place: number) =>
      cell === two[place] || Math.abs(Number(cell) - Number(two[place])) < 1e-5;
    return one.length === two.length && one.every(isNear);
  };

  it('ends with the results of one that was left alone, byte for byte but for its trace ids and the last digit of a number', () => {
    const expected = linesOf(undisturbed.downloads[0]);
    const different = linesOf(killed.downloads[0]).flatMap((line, at) =>
      isAlike(line, expected[at]) ? [] : [{ line: line.slice(-250), expected: expected[at]?.slice(-250) }],
    );
    expect(different.slice(0, 5)).toEqual([]);
    expect(linesOf(killed.downloads[0])).toHaveLength(expected.length);
    const own = FILE.text.split('\r\n');
    expect(expected.filter((line, at) => !line.startsWith(own[at] ?? ' '))).toEqual([]);
    expect(new Set(killed.downloads).size).toBe(1);
  });

  it('counts and charges what that one does', () => {
    const { rows, unique, skipped: invalid } = FILE;
    expect(undisturbed.job).toMatchObject({ rows, unique, invalid, progress: { rows_done: rows } });
    expect(killed.job).toEqual(undisturbed.job);
    const { provider_spend_usd: spend, ...charges } = killed.usage;
    const { provider_spend_usd: expectedSpend, ...expectedCharges } = undisturbed.usage;
    expect(expectedCharges).toMatchObject({ calls: { bulk: unique }, quota: { used: unique } });
    expect(charges).toEqual(expectedCharges);
    // An answer paid for before a kill comes from the cache afterwards, at no cost.
    expect(spend).toBeLessThanOrEqual(expectedSpend);
  });

  it('has one trace an address, which the list of traces shows', () => {
    const { data } = Papa.parse<Record<string, string>>(killed.downloads[0] ?? '', { header: true });
    const named = data.filter(({ svc_status: status }) => status === 'ok');
    const pairs = new Set(named.map(({ email, svc_trace_id: id }) => `${email?.toLowerCase()} ${id}`));
    const ids = new Set(named.map(({ svc_trace_id: id }) => id));
    expect([pairs.size, ids.size]).toEqual([FILE.unique, FILE.unique]);
    expect(killed.traces).toHaveLength(ids.size);
    expect(new Set<string | undefined>(killed.traces)).toEqual(ids);
  });

  it(`asks again, for each kill, at most ${UNSAVED_MAX} addresses and those asked about just then`, () => {
    const inFlight = killed.deaths.map(
      (diedAt) => killed.questions.filter(({ at, answeredAt }) => at < diedAt && answeredAt > diedAt).length,
    );
    const beyond = killed.questions.length - undisturbed.questions.length;
    const again = askedAgain(killed);
    for (const [at, { of, phase, keepsCache }] of kills.entries()) {
      const cache = keepsCache ? 'kept' : 'lost';
      process.stdout.write(
        `kill ${at + 1} (${of}) while ${phase}, cache ${cache}: ${inFlight[at]} in flight, ${again[at]} asked again\n`,
      );
    }
    const spends = [undisturbed, killed].map(({ usage }) => usage.provider_spend_usd);
    process.stdout.write(
      `calls ${undisturbed.questions.length} undisturbed, ${beyond} more with ${kills.length} kills; spend shown ${spends.join(', ')} USD\n`,
    );
    expect(killed.asked).toBe(undisturbed.asked);
    expect(undisturbed.questions).toHaveLength(undisturbed.asked);
    expect(beyond).toBeLessThanOrEqual(inFlight.reduce((sum, count) => sum + UNSAVED_MAX + count, 0));
  });
});

/** For each kill, the addresses asked about again whose answer it was the first to come after. */
function askedAgain({ questions, deaths }: Run): number[] {
  const again = deaths.map(() => 0);
  const before = new Map<string, number>();
  for (const { email, at } of questions) {
    const earlier = before.get(email);
    const death = earlier === undefined ? -1 : deaths.findIndex((diedAt) => diedAt > earlier);
    if (death >= 0) again[death] = (again[death] ?? 0) + 1;
    before.set(email, at);
  }
  return again;
}
