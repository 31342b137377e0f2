import type { Observation } from '../domain/belief/facts.ts';
import { rowName } from '../domain/belief/names.ts';
import { type Job, type Step, type Work, withoutFiles } from '../domain/bulk/job.ts';
import { claimed, claimRange, completeRange, expireLeases, failRange, renewLease } from '../domain/bulk/ranges.ts';
import type { Id } from '../kernel/ids.ts';
import { erasedSince, withoutErased } from './bulk/erased.ts';
import type { BulkJobs, Change } from './bulk/jobs.ts';
import { takeMove } from './bulk/moves.ts';
import type { ProbeMatch } from './calls.ts';
import type { History } from './history.ts';
import { once } from './once.ts';
import { OperatorsObject } from './operators-object.ts';
import type { BulkPort, Input, Output } from './ports.ts';
import * as store from './sql/bulk.ts';
import { appendRecords } from './sql/ledger.ts';
import { ownLosses } from './sql/losses.ts';
import { matchRulesOfAll } from './sql/rules.ts';
import type { Sql } from './sql/sql.ts';

/**
 * The calls about an account's bulk jobs, beside the others of its object: the steps of `domain/bulk` on the object's
 * tables, each in a transaction.
 */
export abstract class BulkObject extends OperatorsObject implements BulkPort {
  protected abstract readonly sql: Sql;
  protected abstract readonly jobs: BulkJobs;
  protected abstract readonly history: History;
  protected abstract learn(news: readonly Observation[]): void;
  protected abstract isDeleted(): boolean;
  /** Vendors that the account has switched off. */
  protected abstract switchedOff(): readonly string[];
  protected abstract transact<T>(work: () => T): T;
  /** Has the outbox written, a moment later. */
  protected abstract drainSoon(): void;

  async createJob(call: Input<'createJob'>): Output<'createJob'> {
    return this.transactLive(call, ({ record }) => {
      const known = store.findJob(this.sql, record.job.id);
      if (known !== null) return known.record;
      return this.jobs.save({ record, version: 0, filesDue: null, mailTry: 0 }, [], { job: record.job, ranges: [] });
    });
  }

  async findJob(call: Input<'findJob'>): Output<'findJob'> {
    return this.transactLive(call, ({ id }) => {
      const record = this.jobs.find(id)?.record;
      return record === undefined ? null : { ...record, policyVersion: this.jobs.policyVersion(record) };
    });
  }

  async listJobs(call: Input<'listJobs'>): Output<'listJobs'> {
    return this.transactLive(call, (page) => {
      // Jobs whose time is over are among the few that are due.
      for (const { record } of store.listDueJobs(this.sql, this.now(), page.limit)) this.jobs.find(record.job.id);
      return store.listJobs(this.sql, page).map(({ record }) => record);
    });
  }

  async moveJob(call: Input<'moveJob'>): Output<'moveJob'> {
    const missing = { ok: false, why: 'missing' } as const;
    return this.transactLive(
      call,
      ({ id, operationId, move }) => {
        // The ledger keeps the answer without the record, which would keep data there that a later step deletes.
        const moved = once({ sql: this.sql, now: this.now() }, operationId, () => takeMove(this.jobs, id, move));
        const record = this.jobs.find(id)?.record;
        if (!moved.ok) return moved;
        return record === undefined ? missing : { ...moved, record };
      },
      missing,
    );
  }

  async noteSample(call: Input<'noteSample'>): Output<'noteSample'> {
    return this.transactLive(call, ({ id, sample }) => {
      const held = this.jobs.find(id);
      if (held !== null) this.jobs.save(held, [], { ...this.jobs.workOf(held), with: { sample } });
      return null;
    });
  }

  async claimRange(call: Input<'claimRange'>): Output<'claimRange'> {
    return this.transactLive(
      call,
      ({ id, lease }) => {
        const held = this.jobs.find(id);
        if (held === null) return null;
        const before = this.jobs.workOf(held);
        const again = claimed(before, lease);
        const losses = held.record.owner.mode === 'live' ? ownLosses(this.sql) : null;
        const providerLeftMicros = this.jobs.providerLeft();
        const inForce = {
          policy: this.jobs.policyOf(held.record),
          ...(losses === null ? {} : { losses }),
          ...(providerLeftMicros === null ? {} : { providerLeftMicros }),
          off: this.switchedOff(),
        };
        if (again !== null) return { claim: again, record: held.record, ...inForce };
        const now = this.now();
        const lapsed = expireLeases(before, now);
        const step = claimRange(lapsed, this.jobs.capacity(held.record).quotaLeft, now, lease);
        const charges = [...lapsed.charges, ...step.charges];
        const record = this.jobs.save(held, before.ranges, { ...step, charges });
        return step.claim === null ? null : { claim: step.claim, record, ...inForce };
      },
      null,
    );
  }

  async renewRange(call: Input<'renewRange'>): Output<'renewRange'> {
    const renew = ({ id, range, lease }: typeof call) =>
      this.step(id, (work, now) => renewLease(work, range, lease, now));
    return this.transactLive(call, renew, false);
  }

  async finishRange(call: Input<'finishRange'>): Output<'finishRange'> {
    const finish = ({
      id,
      range,
      lease,
      outcome: result,
      spendMicros,
      enrichment,
      providers,
      providerMicros,
      ...brought
    }: typeof call) => {
      const { traces, learnt } = withoutErased(this.sql, id, brought);
      const part = store.listRanges(this.sql, id).find(({ index }) => index === range);
      // Also of a holder whose lease has ended: the answers are paid for, and the next holder need not ask again.
      this.learn(learnt);
      const complete = (work: Work, now: number) => completeRange(work, range, lease, result, now);
      if (!this.step(id, complete, { spendMicros, providerMicros, enrichment, providers }))
        return store.hasResult(this.sql, id, lease) ? this.standing(id) : 'lost';
      if (part !== undefined) store.insertResult(this.sql, id, { from: part.from, to: part.to, lease });
      appendRecords(this.sql, 'trace', traces, this.now());
      if (traces.length > 0) this.drainSoon();
      return this.standing(id);
    };
    return this.transactLive(call, finish, 'lost');
  }

  async failRange(call: Input<'failRange'>): Output<'failRange'> {
    const fail = ({ id, range, lease, retryAt, spendMicros, providerMicros, providers }: typeof call) =>
      this.step(id, (work, now) => failRange(work, range, lease, retryAt, now), {
        spendMicros,
        providerMicros,
        providers,
      });
    return this.transactLive(call, fail, false);
  }

  async matchRules(call: Input<'matchRules'>): Output<'matchRules'> {
    // A range that comes right after a crash gets the numbers that it would have had.
    return this.transactLive(call, ({ probes, jobId }) => {
      const matches = matchRulesOfAll(this.sql, probes);
      const isErased = jobId === undefined ? null : erasedSince(this.sql, jobId);
      return matches.map((match, place): ProbeMatch => {
        const { addressHash = null, history } = probes[place] ?? {};
        if (addressHash === null) return match;
        if (isErased?.(rowName(addressHash)) === true) return { ...match, isErased: true };
        return history === undefined
          ? match
          : { ...match, history: this.history.known(addressHash, history, '', this.now()) };
      });
    });
  }

  async listResults(call: Input<'listResults'>): Output<'listResults'> {
    return this.transactLive(call, ({ id }) => store.listResults(this.sql, id));
  }

  /** Restores jobs' records from their projection. Their pending work and their files are lost. */
  async restoreJobs(call: Input<'restoreJobs'>): Output<'restoreJobs'> {
    return this.transactLive(call, ({ jobs }) => {
      const now = this.now();
      for (const { record, version } of jobs) {
        const { job } = record;
        if (store.findJob(this.sql, job.id) !== null) continue;
        const ended: Job =
          job.finishedAt === null ? { ...job, state: 'failed', error: 'internal_error', finishedAt: now } : job;
        const held = { record, version, filesDue: now, mailTry: 0 };
        this.jobs.save(held, [], { job: withoutFiles(ended, now), ranges: [] });
      }
      return null;
    });
  }

  /** Wake-ups and range holders may outlive the organisation: they get `ofDeleted`, other callers an error. */
  private transactLive<C, T>(call: C, work: (call: C) => T, ofDeleted?: T): T {
    if (!this.isDeleted()) return this.transact(() => work(call));
    if (ofDeleted === undefined) throw new Error('no organisation in this object');
    return ofDeleted;
  }

  private standing(id: Id<'bj'>): 'kept' | 'last' {
    return store.findJob(this.sql, id)?.record.job.state === 'done' ? 'last' : 'kept';
  }

  /** False: the job is gone, or does not take the step. */
  private step(
    id: Id<'bj'>,
    take: (work: Work, now: number) => Step | null,
    spent: Pick<Change, 'spendMicros' | 'providerMicros' | 'enrichment' | 'providers'> = {},
  ): boolean {
    const held = this.jobs.find(id);
    if (held === null) return false;
    const before = this.jobs.workOf(held);
    const step = take(before, this.now());
    if (step !== null) this.jobs.save(held, before.ranges, { ...step, ...spent });
    return step !== null;
  }
}
