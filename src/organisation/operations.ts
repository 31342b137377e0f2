import { assess, type Concluded } from '../domain/answer/assess.ts';
import { type KeptVerification, keptOf } from '../domain/answer/kept.ts';
import { HOUR_MS } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import {
  type AdmitAnswer,
  type AdmitRequest,
  accountOf,
  type FindKnown,
  type Finished,
  type FinishRequest,
  type Refused,
  type VerifyAnswer,
  type VerifyRequest,
} from './admission.ts';
import { authorize, type Conclusion, reverse } from './authorize.ts';
import { commit, conclusionOf, withoutDetail } from './commit.ts';
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

  admit(request: AdmitRequest, conclude?: (admitted: AdmitAnswer) => Conclusion | null): AdmitAnswer | Refused {
    const { core, written } = this;
    const { live, sql } = core;
    if (core.settings === null) log('error', 'empty_object', { trace_id: request.traceId });
    if (live === null) return { ok: false, refusal: 'unauthorized', rate: null };
    const now = core.now();
    const known = findKnown(core, now);
    const answer = core.transact(() => authorize(sql, live, request, now, core.isFull, written, known, conclude));
    if (answer.ok && !request.faulty) core.timers.arm('expiry', now + HOUR_MS);
    return answer;
  }

  /** Admits a verification, and where no provider is worth asking judges and keeps it in the same transaction. */
  verify({ admit, observed, request, providers }: VerifyRequest): VerifyAnswer | Refused {
    const { core } = this;
    const judge = (admitted: AdmitAnswer): Concluded | null => {
      const assessment = assess(observed, accountOf(admitted), request, providers, core.now());
      return assessment.kind === 'open' ? null : assessment;
    };
    let concluded: Concluded | null = null;
    const answer = this.admit(admit, (admitted) => {
      concluded = judge(admitted);
      return concluded && conclusionOf(concluded, core.isLarge);
    });
    if (!answer.ok) return answer;
    const { earlier } = answer;
    if (earlier !== null && earlier.answer !== null)
      return { ...answer, concluded: JSON.parse(earlier.answer) as KeptVerification };
    // Our own transport sent a finished request again: it gets the same answer once more.
    if (earlier !== null) concluded = judge(answer);
    else if (concluded !== null) core.drainSoon();
    return { ...answer, concluded: concluded && keptOf(concluded) };
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

const findKnown =
  (core: ObjectCore, now: number): FindKnown =>
  ({ probe }, { key }) =>
    probe?.history === undefined || probe.addressHash === null || key.mode === 'test'
      ? {}
      : { history: core.history.known(probe.addressHash, probe.history, key.id, now) };
