import type { Basis, CheckReason, EmailType, MxProvider, Recommendation, Warning } from '../../contract/vocabulary.ts';
import { type Tally, tally } from '../../kernel/probability.ts';
import { parseAddress } from '../address/parse.ts';
import type { RowDecision, RowKind } from './results/row-result.ts';

/** Counts of a job's checked addresses. Absent values are left out. */
export interface Breakdown {
  readonly basis: Tally<Basis>;
  readonly warning: Tally<Warning>;
  readonly recommendation: Tally<Recommendation>;
  readonly emailType: Tally<EmailType>;
  readonly reason: Tally<CheckReason>;
  readonly hostFamily: Tally<MxProvider>;
  readonly decision: Tally<RowDecision>;
  /** Addresses whose domain is a typo of another. */
  readonly slips: number;
}

export const NO_BREAKDOWN: Breakdown = {
  basis: {},
  warning: {},
  recommendation: {},
  emailType: {},
  reason: {},
  hostFamily: {},
  decision: {},
  slips: 0,
};

/** One checked address. `hostFamily`: the operator of its mail hosts. */
export interface Checked {
  readonly kind: RowKind;
  readonly hostFamily: MxProvider;
}

export function breakdownOf(checked: readonly Checked[]): Breakdown {
  const rows = checked.flatMap(({ kind, hostFamily }) => (kind.status === 'ok' ? [{ kind, hostFamily }] : []));
  return {
    basis: tally(rows.map(({ kind }) => kind.basis)),
    warning: tally(rows.flatMap(({ kind }) => kind.warning ?? [])),
    recommendation: tally(rows.map(({ kind }) => kind.recommendation)),
    emailType: tally(rows.map(({ kind }) => kind.emailType)),
    reason: tally(rows.flatMap(({ kind }) => kind.reason ?? [])),
    hostFamily: tally(rows.map(({ hostFamily }) => hostFamily)),
    decision: tally(rows.flatMap(({ kind }) => kind.decision?.decision ?? [])),
    slips: rows.filter(({ kind }) => kind.meantDomain !== null).length,
  };
}

export const together = (one: Breakdown, other: Breakdown): Breakdown => ({
  basis: sum(one.basis, other.basis),
  warning: sum(one.warning, other.warning),
  recommendation: sum(one.recommendation, other.recommendation),
  emailType: sum(one.emailType, other.emailType),
  reason: sum(one.reason, other.reason),
  hostFamily: sum(one.hostFamily, other.hostFamily),
  decision: sum(one.decision, other.decision),
  slips: one.slips + other.slips,
});

function sum<K extends string>(one: Tally<K>, other: Tally<K>): Tally<K> {
  const counts: Partial<Record<K, number>> = { ...one };
  for (const [word, count] of Object.entries(other) as [K, number][]) counts[word] = (counts[word] ?? 0) + count;
  return counts;
}

/** A domain of a file, and its number of unique addresses. */
export interface DomainShare {
  readonly domain: string;
  readonly addresses: number;
}

/** A domain with fewer addresses may be one person's: its name is stored only in the file. */
const SHOWN_FROM = 5;
const SHOWN_MAX = 20;

const UTF8 = new TextDecoder();

/** The largest domains of a file, collected while its addresses are numbered. */
export class LargestDomains {
  private readonly sizes: Uint32Array;
  private readonly names = new Map<number, string>();

  /** @param domains upper bound of their number */
  constructor(domains: number) {
    this.sizes = new Uint32Array(domains);
  }

  count(domain: number, bytes: Uint8Array, from: number, to: number): void {
    const size = (this.sizes[domain] ?? 0) + 1;
    this.sizes[domain] = size;
    if (size === SHOWN_FROM) this.names.set(domain, UTF8.decode(bytes.subarray(from, to)));
  }

  /** Largest first, without text after an `@` that is not a domain. */
  list(): DomainShare[] {
    return [...this.names]
      .filter(([, domain]) => isDomain(domain))
      .map(([number, domain]) => ({ domain, addresses: this.sizes[number] ?? 0 }))
      .sort((one, other) => other.addresses - one.addresses || (one.domain < other.domain ? -1 : 1))
      .slice(0, SHOWN_MAX);
  }
}

function isDomain(text: string): boolean {
  const parsed = parseAddress(`a@${text}`);
  return parsed.ok && parsed.address.domain === text;
}
