import { describe, expect, it } from 'vitest';
import {
  type Capacity,
  cancel,
  expire,
  expiresAt,
  type Job,
  nextInQueue,
  promote,
  read,
  remove,
  resultsOf,
  resume,
  type Step,
  start,
  type Work,
} from '../../../src/domain/bulk/job.ts';
import {
  claimChunk,
  completeChunk,
  expireLeases,
  failChunk,
  LEASE_MS,
  nextTimerAt,
  renewLease,
  TRIES_MAX,
} from '../../../src/domain/bulk/chunks.ts';
import { DAY_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { created, FREE, file, good, ready, started, T0, valid, WISHES } from './jobs.ts';

describe('a job begins', () => {
  const cases: readonly (readonly [string, Job, Parameters<typeof start>[1], Capacity, string])[] = [
    ['fits, a slot is free', ready(200), { ...WISHES, allowPartial: false }, { quotaLeft: 200, running: 1 }, 'running'],
    ['two run', ready(200), WISHES, { quotaLeft: 200, running: 2 }, 'queued'],
    ['does not fit', ready(200), { ...WISHES, allowPartial: false }, { quotaLeft: 199, running: 0 }, 'quota'],
    ['does not fit, in part', ready(200), WISHES, { quotaLeft: 0, running: 0 }, 'running'],
    ['unmetered', ready(200), { ...WISHES, allowPartial: false }, FREE, 'running'],
    ['nothing to check', ready(0), WISHES, FREE, 'done'],
    ['no column', good(read(created(), file(2, null))), WISHES, FREE, 'no_email_column'],
    ['not read yet', created(), WISHES, FREE, 'state'],
    ['begun before', started(2).job, WISHES, FREE, 'state'],
  ];
  it.each(cases)('%s', (_, job, wishes, capacity, expected) => {
    const after = start(job, wishes, capacity, T0);
    expect(typeof after === 'string' ? after : after.state).toBe(expected);
  });

  it('in a free slot, the one started first', () => {
    const queue = [3, 1, 2].map((second) => good(start(ready(100), WISHES, { ...FREE, running: 2 }, T0 + second)));
    expect(nextInQueue([...queue, ready(5)])).toBe(queue[1]);
    expect(good(promote(good(nextInQueue(queue)), T0)).state).toBe('running');
    expect(nextInQueue([ready(5)])).toBeNull();
  });
});

describe('a chunk', () => {
  it('is a hundred addresses on the grid, the last the rest', () => {
    let work: Work = started(250);
    const seen: unknown[] = [];
    for (const lease of ['a', 'b', 'c', 'd']) {
      const step = claimChunk(work, null, T0, lease);
      seen.push(step.claim && [step.claim.chunk, step.claim.from, step.claim.to]);
      work = step;
    }
    expect(seen).toEqual([[0, 0, 100], [1, 100, 200], [2, 200, 250], null]);
  });

  it('granted in part is one chunk, whose rest is cut after the first part and the pause', () => {
    const first = claimChunk(started(150), 40, T0, 'a');
    expect(first.claim).toMatchObject({ chunk: 0, from: 0, to: 40 });
    // Quota returns before the first part is finished: the rest waits, since a chunk has one result.
    expect(claimChunk(first, 500, T0, 'b').claim).toBeNull();
    const finished = good(completeChunk(first, 0, 'a', valid(40), T0));
    expect(finished.job).toMatchObject({ state: 'running', chunksDone: 0, rowsDone: 43 });
    const paused = claimChunk(finished, 0, T0, 'c');
    expect(paused).toMatchObject({ claim: null, job: { state: 'paused_quota' } });
    expect(resume(paused.job, { quotaLeft: 0, running: 0 })).toBe('quota');
    const resumed = good(resume(paused.job, { quotaLeft: 500, running: 0 }));
    const rest = claimChunk({ job: resumed, chunks: [] }, 500, T0, 'd');
    expect(rest).toMatchObject({ claim: { chunk: 0, from: 40, to: 100 }, charges: [{ count: 60 }] });
    expect(good(completeChunk(rest, 0, 'd', valid(60), T0)).job).toMatchObject({
      chunksDone: 1,
      chunksTotal: 2,
      rowsDone: 103,
    });
  });

  it.each([
    ['whole', []],
    ['in parts', [1, 33, 34, 99, 150, 151]],
  ])('done %s counts its rows: in the end all of the file', (_, stops) => {
    const begun = good(start(good(read(created(), file(202, 0, 7))), WISHES, FREE, T0));
    expect(begun.rowsDone).toBe(3);
    let work: Work = { job: begun, chunks: [] };
    for (const stop of [...stops, 202, 202, 202]) {
      const step = claimChunk(work, stop - work.job.cursor, T0, `${stop}`);
      if (step.claim === null) break;
      const { chunk, from, to } = step.claim;
      work = good(completeChunk(step, chunk, `${stop}`, valid(to - from), T0));
      expect(work.job.rowsDone).toBeGreaterThanOrEqual(work.job.cursor + 3);
    }
    expect(work.job).toMatchObject({ state: 'done', rowsDone: 202 + 3 + 3 * 7, file: { rows: 226 } });
  });

  it('keeps a job running whose quota has ended while it is in progress: what it gives back may be used', () => {
    const first = claimChunk(started(150), 100, T0, 'a');
    const second = claimChunk(first, 0, T0, 'b');
    expect(second).toMatchObject({ claim: null, job: { state: 'running' } });
    const third = good(completeChunk(second, 0, 'a', { ...valid(90), errors: 10 }, T0));
    expect(claimChunk(third, 10, T0, 'c').claim).toMatchObject({ from: 100, to: 110 });
    expect(claimChunk(third, 0, T0, 'c').job.state).toBe('paused_quota');
  });

  it('waits for another try, and after the last is given up: its rows are done and cost nothing', () => {
    let work: Work = started(30);
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      const step = claimChunk(work, null, T0 + tries * SECOND_MS, `${tries}`);
      expect(step.claim?.isLastTry).toBe(tries === TRIES_MAX);
      work = good(failChunk(step, 0, `${tries}`, T0 + (tries + 1) * SECOND_MS, T0 + tries * SECOND_MS));
      expect(claimChunk(work, null, T0 + tries * SECOND_MS, 'early').claim).toBeNull();
    }
    expect(work).toMatchObject({ job: { state: 'done', charged: 0, rowsDone: 33, chunksDone: 1 }, chunks: [] });
  });

  it('is refused its results when its lease has ended, and given to the next without another charge', () => {
    const first = claimChunk(started(100), 100, T0, 'a');
    const late = T0 + LEASE_MS;
    expect(completeChunk(first, 0, 'a', valid(100), late)).toBeNull();
    expect(renewLease(first, 0, 'a', late)).toBeNull();
    expect(failChunk(first, 0, 'a', late, late)).toBeNull();
    const second = claimChunk(expireLeases(first, late), 0, late, 'b');
    expect(second).toMatchObject({ claim: { from: 0, to: 100 }, charges: [], job: { charged: 100 } });
    expect(completeChunk(second, 0, 'a', valid(100), late)).toBeNull();
    expect(completeChunk(second, 0, 'b', valid(99), late)).toBeNull();
    expect(good(completeChunk(second, 0, 'b', valid(100), late)).job.state).toBe('done');
  });

  it('whose holder disappears many times is not taken for one that fails', () => {
    let work: Work = started(10);
    for (let i = 0; i < 5 * TRIES_MAX; i += 1)
      work = expireLeases(claimChunk(work, null, T0 + i * LEASE_MS, `${i}`), T0 + (i + 1) * LEASE_MS);
    expect(work).toMatchObject({ job: { state: 'running', charged: 10 }, chunks: [{ failures: 0 }] });
  });

  it('renewed holds a minute from then', () => {
    const held = good(renewLease(claimChunk(started(10), null, T0, 'a'), 0, 'a', T0 + LEASE_MS - 1));
    expect(good(completeChunk(held, 0, 'a', valid(10), T0 + 2 * LEASE_MS - 2)).job.state).toBe('done');
  });

  it('gives back what was charged in the month it was charged in', () => {
    const march = claimChunk(started(10), null, Date.UTC(2026, 3, 1) - 1, 'a');
    const april = good(completeChunk(march, 0, 'a', { ...valid(8), errors: 2 }, Date.UTC(2026, 3, 1)));
    expect([march.charges, april.charges]).toEqual([
      [{ month: '2026-03', count: 10 }],
      [{ month: '2026-03', count: -2 }],
    ]);
  });
});

describe('a job ends', () => {
  const inWork = (): Work => {
    const first = claimChunk(started(500), null, T0, 'a');
    const second = claimChunk(first, null, T0, 'b');
    return good(failChunk(second, 1, 'b', T0 + SECOND_MS, T0));
  };

  it('cancelled: what is in work is finished and kept, the rest neither begun nor charged', () => {
    const cancelled = good(cancel(inWork(), T0));
    expect(cancelled).toMatchObject({ job: { state: 'cancelled', charged: 100 }, chunks: [{ index: 0 }] });
    expect(cancelled.charges).toEqual([{ month: '2026-03', count: -100 }]);
    expect(claimChunk(cancelled, null, T0, 'c').claim).toBeNull();
    expect(good(completeChunk(cancelled, 0, 'a', valid(100), T0 + 1))).toMatchObject({
      job: { state: 'cancelled', rowsDone: 103 },
    });
    const lost = expireLeases(cancelled, T0 + LEASE_MS);
    expect(lost).toMatchObject({ job: { charged: 0 }, chunks: [], charges: [{ count: -100 }] });
  });

  const endings: readonly (readonly [string, (work: Work) => Step | null, string])[] = [
    ['deleted', (work) => remove(work, T0), 'cancelled'],
    ['out of time', (work) => expire(work, expiresAt(work.job)), 'expired'],
  ];
  it.each(endings)('%s: its files and all work on them', (_, end, state) => {
    const ended = good(end(inWork()));
    expect(ended).toMatchObject({ job: { state, charged: 0 }, chunks: [] });
    expect(ended.job.error).toBe(state === 'expired' ? 'expired_unfinished' : null);
    expect(completeChunk(ended, 0, 'a', valid(100), T0 + 1)).toBeNull();
    expect([resultsOf(ended.job), nextTimerAt(ended, T0), end(ended)]).toEqual(['gone', null, null]);
  });

  it.each(endings)('%s after it was done: only its files go', (_, end) => {
    const step = claimChunk(started(1), null, T0, 'a');
    const done = good(completeChunk(step, 0, 'a', valid(1), T0));
    expect(resultsOf(done.job)).toBe('ready');
    expect(good(end(done)).job).toMatchObject({ state: 'done', finishedAt: T0, error: null });
  });

  it('not before seven days from its creation', () => {
    expect(expire({ job: ready(1), chunks: [] }, T0 + 7 * DAY_MS - 1)).toBeNull();
    expect(good(expire({ job: ready(1), chunks: [] }, T0 + 7 * DAY_MS)).job.state).toBe('expired');
  });
});

describe('the next timer', () => {
  const wait = (work: Work): number | null => {
    const at = nextTimerAt(work, T0);
    return at === null ? null : at - T0;
  };
  it('sends a wake-up again, ends a lease or a wait, deletes files', () => {
    const one = claimChunk(started(100), null, T0, 'a');
    expect(wait(started(100))).toBe(30 * SECOND_MS);
    expect(wait(one)).toBe(LEASE_MS);
    expect(wait(good(failChunk(one, 0, 'a', T0 + 5_000, T0)))).toBe(5_000);
    expect(wait(expireLeases(one, T0 + LEASE_MS))).toBe(LEASE_MS);
    expect(wait(good(completeChunk(one, 0, 'a', valid(100), T0)))).toBe(7 * DAY_MS);
    expect(wait({ job: ready(3), chunks: [] })).toBe(7 * DAY_MS);
  });
});
