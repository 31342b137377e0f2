import { HOUR_MS } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import type {
  AdmitAnswer,
  AdmitRequest,
  FindKnown,
  Finished,
  FinishRequest,
  KnownHistory,
  Refused,
} from './admission.ts';
import { authorize, reverse } from './authorize.ts';
import { commit, withoutDetail } from './commit.ts';
import type { ObjectCore } from './core.ts';
import type { WrittenOperations } from './written.ts';

/** The operations of requests: admitted and charged, finished with their traces, or taken back. */
export class Operations {
  private readonly core: ObjectCore;
  private readonly written: WrittenOperations;

  constructor(core: ObjectCore, written: WrittenOperations) {
    this.core = core;
    this.written = written;
  }

  admit(request: AdmitRequest): AdmitAnswer | Refused {
    const { core, written } = this;
    const { live, sql } = core;
    if (core.settings === null) log('error', 'empty_object', { trace_id: request.traceId });
    if (live === null) return { ok: false, refusal: 'unauthorized', rate: null };
    const now = core.now();
    const known = findKnown(core, now);
    const answer = core.transact(() => authorize(sql, live, request, now, core.isFull, written, known));
    if (!answer.ok || request.faulty) return answer;
    core.timers.arm('ledger', now + HOUR_MS);
    if (request.ready !== undefined && answer.earlier !== null) core.drainSoon();
    return answer;
  }

  finish(request: FinishRequest): Finished {
    const { core } = this;
    if (core.live === null) return { answer: request.answer };
    const kept = core.isLarge && request.trace.kind === 'trace' ? withoutDetail(request) : request;
    const finished = core.transact(() => {
      if (kept.learnt !== null) core.learn([kept.learnt]);
      return commit(core.sql, kept, core.now(), this.written);
    });
    core.drainSoon();
    return finished;
  }

  reverse(operationId: string, traceId: string): void {
    this.core.transact(() => reverse(this.core.sql, operationId, this.core.now(), traceId));
  }
}

/** In a very large object traces are kept without their detail, so they come by `finish` and need no revision. */
const findKnown =
  (core: ObjectCore, now: number): FindKnown =>
  ({ probe }, admitted) => {
    const { key } = admitted;
    if (probe?.history === undefined || probe.addressHash === null || key.mode === 'test') return {};
    const known = core.history.known(probe.addressHash, probe.history, key.id, now);
    return core.isLarge ? { history: known } : { history: known, revision: revisionOf(admitted, known) };
  };

/** All that an admission says of an address which has neither a rule nor a history. */
const revisionOf = (
  { rate: _, rules: __, earlier: ___, ...said }: AdmitAnswer,
  { address: ____, ...around }: KnownHistory,
): string => JSON.stringify([said, around]);
