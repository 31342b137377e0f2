import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Capacity,
  type Job,
  RUNNING_JOBS_MAX,
  type Step,
  type Work,
  cancel,
  expire,
  failRead,
  nextInQueue,
  promote,
  remove,
  resume,
  start,
} from '../../../src/domain/bulk/job.ts';
import {
  claimChunk,
  completeChunk,
  expireLeases,
  failChunk,
  LEASE_MS,
  NO_COUNTS,
  CHUNKS_MAX,
} from '../../../src/domain/bulk/chunks.ts';
import { utcMonth } from '../../../src/domain/metering/usage.ts';
import { DAY_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { created, ready, T0, valid, WISHES } from './jobs.ts';

/** An organisation as its object would store it, with the fate of each address. */
class Organisation {
  readonly works: Work[] = [];
  quota: number | null;
  now = T0;
  private readonly fates: Map<number, 'in work' | 'done'>[] = [];
  private readonly used = new Map<string, number>();
  private leases = 0;

  constructor(quota: number | null, sizes: readonly number[]) {
    this.quota = quota;
    for (const unique of sizes) {
      this.works.push({ job: ready(unique), chunks: [] });
      this.fates.push(new Map());
    }
  }

  get capacity(): Capacity {
    const used = this.used.get(utcMonth(this.now)) ?? 0;
    return {
      quotaLeft: this.quota === null ? null : Math.max(0, this.quota - used),
      running: this.works.filter(({ job }) => job.state === 'running').length,
    };
  }

  keepJob(i: number, job: Job | string): void {
    if (typeof job !== 'string') this.works[i] = { job, chunks: this.works[i]?.chunks ?? [] };
    const next = this.capacity.running < RUNNING_JOBS_MAX ? nextInQueue(this.works.map((work) => work.job)) : null;
    const turn = this.works.findIndex((work) => work.job === next);
    if (next !== null) this.keepJob(turn, promote(next, this.now));
  }

  keep(i: number, step: Step | string | null): void {
    const work = this.works[i];
    if (work === undefined || step === null || typeof step === 'string') return;
    this.charge(step);
    const isDone = step.job.rowsDone > work.job.rowsDone;
    const without = (chunks: Work['chunks'], others: Work['chunks']) =>
      chunks.filter((chunk) => !others.some(({ index }) => index === chunk.index));
    for (const { from, to } of without(work.chunks, step.chunks)) this.settle(i, from, to, isDone);
    for (const { from, to } of without(step.chunks, work.chunks)) this.begin(i, from, to);
    this.works[i] = { job: step.job, chunks: step.chunks };
    this.keepJob(i, 'unchanged');
  }

  pass(ms: number): void {
    this.now += ms;
    for (const [i, work] of this.works.entries()) this.keep(i, expireLeases(work, this.now));
  }

  claim(i: number): void {
    const work = this.works[i];
    this.leases += 1;
    if (work !== undefined) this.keep(i, claimChunk(work, this.capacity.quotaLeft, this.now, `${this.leases}`));
  }

  private charge({ charges }: Step): void {
    for (const { month, count } of charges) {
      const used = (this.used.get(month) ?? 0) + count;
      if (count > 0 && this.quota !== null) expect(used).toBeLessThanOrEqual(this.quota);
      expect(used).toBeGreaterThanOrEqual(0);
      this.used.set(month, used);
    }
  }

  private begin(i: number, from: number, to: number): void {
    for (let n = from; n < to; n += 1) {
      expect(this.fates[i]?.has(n)).toBe(false);
      this.fates[i]?.set(n, 'in work');
    }
  }

  private settle(i: number, from: number, to: number, isDone: boolean): void {
    for (let n = from; n < to; n += 1) {
      expect(this.fates[i]?.get(n)).toBe('in work');
      if (isDone) this.fates[i]?.set(n, 'done');
    }
  }

  check(): void {
    expect(this.capacity.running).toBeLessThanOrEqual(RUNNING_JOBS_MAX);
    for (const [i, { job, chunks }] of this.works.entries()) {
      const inWork = chunks.reduce((sum, { from, to }) => sum + to - from, 0);
      const verified = Object.values(job.counts).reduce((sum, count) => sum + count, 0);
      const done = [...(this.fates[i]?.values() ?? [])].filter((fate) => fate === 'done').length;
      const isAllDone = done === job.file?.unique;
      expect(job.charged).toBe(verified + inWork);
      expect(job.rowsDone).toBe(done + (job.startedAt === null ? 0 : (job.file?.invalid ?? 0)));
      expect(chunks.length).toBeLessThanOrEqual(CHUNKS_MAX);
      if (job.state === 'done') expect([isAllDone, job.chunksDone]).toEqual([true, job.chunksTotal]);
      if (job.state === 'running' || job.state === 'paused_quota') expect(isAllDone).toBe(false);
      if (job.state === 'paused_quota') expect(chunks).toEqual([]);
    }
    const charged = this.works.reduce((sum, { job }) => sum + job.charged, 0);
    expect([...this.used.values()].reduce((sum, used) => sum + used, 0)).toBe(charged);
  }
}

type Event = (org: Organisation) => void;
const nth = fc.nat({ max: 3 });
const withWork =
  (i: number, use: (org: Organisation, work: Work) => void): Event =>
  (org) => {
    const work = org.works[i];
    if (work !== undefined) use(org, work);
  };
const finishOne = (i: number, at: number, bad: number, isStale: boolean): Event =>
  withWork(i, (org, work) => {
    const chunk = work.chunks[at];
    if (chunk === undefined) return;
    const errors = Math.min(bad, chunk.to - chunk.from);
    const result = { ...NO_COUNTS, counts: { risky: chunk.to - chunk.from - errors }, errors };
    org.keep(i, completeChunk(work, chunk.index, isStale ? 'stale' : (chunk.lease ?? 'none'), result, org.now));
  });
const failOne = (i: number, at: number, seconds: number): Event =>
  withWork(i, (org, work) => {
    const { index = 0, lease = null } = work.chunks[at] ?? {};
    org.keep(i, failChunk(work, index, lease ?? 'none', org.now + seconds * SECOND_MS, org.now));
  });

const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: nth.map((i) => (org: Organisation) => org.claim(i)) },
  {
    weight: 5,
    arbitrary: fc.tuple(nth, nth, nth, fc.boolean()).map((args) => finishOne(...args)),
  },
  { weight: 3, arbitrary: fc.tuple(nth, nth, fc.nat({ max: 90 })).map((args) => failOne(...args)) },
  { weight: 4, arbitrary: fc.nat({ max: 100 }).map((s) => (org: Organisation) => org.pass(s * SECOND_MS)) },
  {
    weight: 2,
    arbitrary: nth.map((i) => withWork(i, (org, { job }) => org.keepJob(i, start(job, WISHES, org.capacity, org.now)))),
  },
  { weight: 2, arbitrary: nth.map((i) => withWork(i, (org, { job }) => org.keepJob(i, resume(job, org.capacity)))) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(nth, fc.constantFrom(cancel, remove, expire))
      .map(([i, end]) => withWork(i, (org, work) => org.keep(i, end(work, org.now)))),
  },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 300 }).map((more) => (org: Organisation) => {
      if (org.quota !== null) org.quota += more;
    }),
  },
  { weight: 1, arbitrary: fc.constant((org: Organisation) => org.pass(DAY_MS)) },
);

/** Finishes all claimed chunks and resumes paused jobs, without further faults. */
function runOut(org: Organisation): void {
  const isOpen = () =>
    org.works.some(({ job, chunks }) => chunks.length > 0 || ['queued', 'running', 'paused_quota'].includes(job.state));
  for (let round = 0; round < 60 && isOpen(); round += 1) {
    org.pass(LEASE_MS);
    for (const i of org.works.keys()) {
      withWork(i, (_, { job }) => org.keepJob(i, resume(job, org.capacity)))(org);
      org.claim(i);
      withWork(i, (_, work) => {
        for (const { index, from, to, lease } of work.chunks) {
          withWork(i, (__, now) => org.keep(i, completeChunk(now, index, lease ?? 'none', valid(to - from), org.now)))(
            org,
          );
        }
      })(org);
    }
    org.check();
  }
  expect(isOpen()).toBe(false);
}

describe('whatever happens to the jobs of an organisation', () => {
  it('no address is charged twice or lost, no quota exceeded, and what is left to run comes to its end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 620 }), { minLength: 1, maxLength: 4 }),
        fc.option(fc.integer({ min: 1, max: 900 })),
        fc.array(events, { minLength: 10, maxLength: 90 }),
        (sizes, quota, steps) => {
          const org = new Organisation(quota, sizes);
          for (const i of sizes.keys()) {
            withWork(i, (_, { job }) => org.keepJob(i, start(job, WISHES, org.capacity, org.now)))(org);
          }
          for (const step of steps) {
            step(org);
            org.check();
          }
          org.quota = null;
          runOut(org);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a file that can’t be read', () => {
  it('ends an uploading job with its reason, and no other job', () => {
    const at = 5_000;
    const job = created(at);
    expect(failRead(job, 'not_text', at)).toMatchObject({ state: 'failed', error: 'not_text', finishedAt: at });
    expect(failRead(ready(3), 'not_text', at)).toBe('state');
  });
});
