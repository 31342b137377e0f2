import type { ProviderId } from '../../../src/domain/belief/provider.ts';
import { type Delivery, type FaultName, faultOf, replyOf } from './faults.ts';
import type { Incoming, Statement } from './wire/form.ts';
import { WIRE_FORMS } from './wire/forms.ts';

/** A vendor's answer or fault, and its delay. */
export type Behaviour = { readonly afterMs: number } & (
  | { readonly statement: Statement }
  | { readonly fault: FaultName }
);

/** `atMs`: milliseconds since the simulator started. */
export type BehaviourOf = (provider: ProviderId, email: string, atMs: number) => Behaviour;

/** One call in the vendor's ledger. */
export interface LedgerEntry {
  readonly provider: ProviderId;
  readonly email: string;
  readonly billedMicros: number;
}

/** The result of a call. */
export interface Handled {
  readonly afterMs: number;
  readonly delivery: Delivery;
}

export interface VendorAccount {
  readonly apiKey: string;
  readonly priceMicros: number;
}

export type VendorAccounts = Readonly<Record<ProviderId, VendorAccount>>;

const NOT_FOUND: Delivery = { kind: 'reply', status: 404, headers: {}, body: '' };

/**
 * The vendors' side of every call: parses it, acts as `behaviourOf` says, and records it in an in-memory ledger. A call is
 * charged on arrival, even if the caller has left.
 */
export class VendorSimulator {
  private readonly accounts: VendorAccounts;
  private readonly behaviourOf: BehaviourOf;
  private readonly entries: LedgerEntry[] = [];
  private readonly billed = new Map<string, number>();

  constructor(accounts: VendorAccounts, behaviourOf: BehaviourOf) {
    this.accounts = accounts;
    this.behaviourOf = behaviourOf;
  }

  get ledger(): readonly LedgerEntry[] {
    return this.entries;
  }

  /** What all vendors together have charged for an address, in micros. */
  billedFor(email: string): number {
    return this.billed.get(email) ?? 0;
  }

  handle(provider: ProviderId, incoming: Incoming, ownUrl: string, atMs: number): Handled {
    const form = WIRE_FORMS[provider];
    if (incoming.method !== form.method || incoming.path !== form.path) return { afterMs: 0, delivery: NOT_FOUND };
    const question = form.read(incoming);
    if (question === null) return { afterMs: 0, delivery: replyOf(form.badRequest) };
    const { email, key, patienceMs } = question;
    const account = this.accounts[provider];
    if (key !== account.apiKey) return { afterMs: 0, delivery: replyOf(form.badKey) };
    const enter = (billed: boolean): void => {
      const billedMicros = billed ? account.priceMicros : 0;
      this.entries.push({ provider, email, billedMicros });
      this.billed.set(email, this.billedFor(email) + billedMicros);
    };
    const behaviour = this.behaviourOf(provider, email, atMs);
    if ('fault' in behaviour) {
      const { billed, delivery } = faultOf(behaviour.fault);
      enter(billed);
      return { afterMs: behaviour.afterMs, delivery: delivery(form, ownUrl) };
    }
    const { afterMs, statement } = behaviour;
    const inTime = afterMs <= patienceMs;
    const answer = inTime
      ? form.answer(statement)
      : (form.stillWorking ?? form.answer({ ...statement, verdict: 'unknown', acceptsAll: false }));
    enter(answer.billed);
    return { afterMs: Math.min(afterMs, patienceMs), delivery: replyOf(answer) };
  }
}
