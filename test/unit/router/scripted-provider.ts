import type {
  Provider,
  ProviderAnswer,
  ProviderFailure,
  ProviderId,
  ProviderVerdict,
} from '../../../src/domain/belief/provider.ts';
import { err, ok } from '../../../src/kernel/errors.ts';

/** What a vendor does with a call. */
export interface Script {
  /** How long it takes over it. */
  readonly ms: number;
  readonly says: ProviderVerdict | ProviderFailure['kind'] | 'hangs';
  readonly priceMicros?: number;
  /** Also bills `unknown` and failed calls; other vendors don't. */
  readonly billsAll?: boolean;
  readonly catchAll?: boolean | null;
  readonly warning?: ProviderAnswer['warning'];
}

export const DELIVERABLE: Script = { ms: 300, says: 'deliverable' };
export const UNDELIVERABLE: Script = { ms: 300, says: 'undeliverable' };
export const UNKNOWN: Script = { ms: 300, says: 'unknown' };
export const DOWN: Script = { ms: 50, says: 'server_error' };
export const HANGS: Script = { ms: 0, says: 'hangs' };

/** One call in the vendor's books. */
export interface VendorCall {
  readonly provider: ProviderId;
  readonly email: string;
  readonly atMs: number;
  /** How long it was given. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Charged in full at the start: an aborted caller can't know whether the check was done. */
  billedMicros: number;
}

const VERDICTS: readonly string[] = [
  'deliverable',
  'undeliverable',
  'catch_all',
  'risky',
  'unknown',
] satisfies ProviderVerdict[];
const isVerdict = (says: Script['says']): says is ProviderVerdict => VERDICTS.includes(says);

const PRICE_MICROS = 4_000;

/** A vendor's answer that says a verdict and no more. */
export const answerWith = (change: Pick<ProviderAnswer, 'verdict'> & Partial<ProviderAnswer>): ProviderAnswer => ({
  reason: null,
  catchAll: null,
  role: null,
  disposable: null,
  mailboxFull: null,
  warning: null,
  subStatus: null,
  suggestedDomain: null,
  costMicros: 0,
  ...change,
});

/** A vendor that keeps to its time limit and its signal, as the adapters do, and records every call in `calls`. */
function scripted(id: ProviderId, script: Script, calls: VendorCall[]): Provider {
  const { ms, says, priceMicros = PRICE_MICROS, billsAll = false } = script;
  return {
    id,
    priceMicros,
    async ask(email, timeoutMs, signal) {
      const call: VendorCall = { provider: id, email, atMs: Date.now(), timeoutMs, signal, billedMicros: priceMicros };
      calls.push(call);
      const answersAfter = says === 'hangs' ? Number.POSITIVE_INFINITY : ms;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(answersAfter, timeoutMs));
        signal.addEventListener('abort', () => (clearTimeout(timer), resolve()));
      });
      if (says === 'hangs' || answersAfter > timeoutMs || signal.aborted)
        return err({ kind: 'timeout', retryable: true, costMicros: priceMicros });
      if (!billsAll && (says === 'unknown' || !isVerdict(says))) call.billedMicros = 0;
      const { catchAll = null, warning = null } = script;
      if (isVerdict(says)) return ok(answerWith({ verdict: says, catchAll, warning, costMicros: call.billedMicros }));
      return err({ kind: says, retryable: true, costMicros: call.billedMicros });
    },
  };
}

export type Scripts = Partial<Record<ProviderId, Script>>;

export const scriptedAll = (scripts: Scripts, calls: VendorCall[]): Provider[] =>
  Object.entries(scripts).map(([id, script]) => scripted(id as ProviderId, script, calls));
