import type {
  ActorClass,
  Basis,
  CheckReason,
  EmailType,
  Esp,
  MailboxType,
  Recommendation,
  Verdict,
} from '../../../contract/vocabulary.ts';
import type { Id } from '../../../kernel/ids.ts';
import { type ShownVerification, answerKept } from '../../answer/answer-shown.ts';
import type { ProviderWarning } from '../../belief/provider.ts';

export type RowDecision = (typeof WORDS.decision)[number];

/** A row's result without its trace id. Most rows share theirs with others. */
export type RowKind =
  | { readonly status: 'error' }
  | {
      readonly status: 'ok';
      readonly verdict: Verdict;
      readonly bounceProbability: number;
      readonly recommendation: Recommendation;
      readonly reason: CheckReason | null;
      readonly emailType: EmailType;
      readonly esp: Esp;
      readonly mailboxType: MailboxType;
      readonly actorClass: ActorClass;
      readonly disposable: boolean;
      readonly roleAccount: boolean;
      readonly catchAll: boolean;
      readonly relayAlias: boolean;
      /** The domain that the address's is a typo of. The corrected address itself is never stored. */
      readonly meantDomain: string | null;
      readonly basis: Basis;
      /** A provider's warning beside deliverability, or null. */
      readonly warning: ProviderWarning | null;
      readonly decision: { readonly decision: RowDecision; readonly ruleId: string } | null;
    };

/** One unique address's result. `traceId`: null where the address was not checked. */
export interface RowResult {
  readonly kind: RowKind;
  readonly traceId: Id<'vr'> | null;
}

export const ERROR_ROW: RowResult = { kind: { status: 'error' }, traceId: null };

const VERSION = 1;
const HEAD_BYTES = 8;
const RECORD_BYTES = 52;

/**
 * The words that a record's bytes stand for: 0 is none, n the (n − 1)th. Stored files depend on this order, so it is
 * independent of the contract. Words may be appended; any other change needs a new version.
 */
export const WORDS = {
  status: ['ok', 'error'],
  verdict: ['valid', 'likely_valid', 'risky', 'likely_invalid', 'invalid', 'unknown'],
  recommendation: ['send', 'hold', 'challenge', 'drop'],
  reason: [
    'syntax_invalid',
    'address_blocklisted',
    'domain_blocklisted',
    'no_mx',
    'mx_unresolved',
    'disposable_domain',
    'disposable_suspected',
    'domain_allowlisted',
    'address_allowlisted',
  ],
  emailType: ['business', 'free', 'role', 'disposable', 'relay', 'unknown'],
  esp: ['hosted_suite_a', 'hosted_suite_b', 'consumer_esp', 'self_hosted', 'unknown'],
  mailboxType: ['corporate', 'consumer', 'role', 'unknown'],
  actorClass: ['human_mailbox', 'agent_mailbox', 'relay_alias', 'role_account', 'shared', 'unknown'],
  basis: ['rule', 'local', 'history', 'provider'],
  warning: ['spam_trap', 'complainer', 'suppressed', 'toxic', 'do_not_mail', 'disposable'],
  decision: ['allow', 'allow_with_flow', 'review', 'challenge', 'deny'],
} as const satisfies {
  readonly status: readonly RowKind['status'][];
  readonly verdict: readonly Verdict[];
  readonly recommendation: readonly Recommendation[];
  readonly reason: readonly CheckReason[];
  readonly emailType: readonly EmailType[];
  readonly esp: readonly Esp[];
  readonly mailboxType: readonly MailboxType[];
  readonly actorClass: readonly ActorClass[];
  readonly basis: readonly Basis[];
  readonly warning: readonly ProviderWarning[];
  readonly decision: readonly string[];
};
type WordField = keyof typeof WORDS;
const FIELDS = Object.keys(WORDS) as WordField[];
const DECISION_AT = FIELDS.indexOf('decision');

const SIGNALS_AT = 11;
const RULE_AT = 12;
const PROBABILITY_AT = 16;
const TRACE_AT = 24;
/** Stored as text: a download reads a hundred thousand, and decoding base32 is slow. */
const TRACE_BYTES = 26;
/** Index of the corrected domain among the names, from 1; 0: none. */
const MEANT_AT = 50;
const UTF8 = new TextEncoder();
const SIGNALS = ['disposable', 'roleAccount', 'catchAll', 'relayAlias'] as const;

/**
 * A chunk's results in the order of its addresses, 52 bytes each. Little-endian: version and length of the names (u32
 * each), the names as a JSON array (rules, then corrected domains), the records. Null means not reached.
 */
export function encodeChunk(results: readonly (RowResult | null)[]): Uint8Array<ArrayBuffer> {
  const checked = results.flatMap((row) => (row?.kind.status === 'ok' ? [row.kind] : []));
  const rules = [...new Set(checked.flatMap(({ decision }) => (decision ? [decision.ruleId] : [])))];
  const domains = [...new Set(checked.flatMap(({ meantDomain }) => meantDomain ?? []))];
  const names = UTF8.encode(JSON.stringify([...rules, ...domains]));
  const bytes = new Uint8Array(HEAD_BYTES + names.length + results.length * RECORD_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, VERSION, true);
  view.setUint32(4, names.length, true);
  bytes.set(names, HEAD_BYTES);
  for (const [index, result] of results.entries()) {
    const at = HEAD_BYTES + names.length + index * RECORD_BYTES;
    if (result !== null) encodeRecord(new DataView(bytes.buffer, at, RECORD_BYTES), result, rules, domains);
  }
  return bytes;
}

function encodeRecord(
  view: DataView<ArrayBuffer>,
  { kind, traceId }: RowResult,
  rules: readonly string[],
  domains: readonly string[],
): void {
  const words: Partial<Record<WordField, string | null>> =
    kind.status === 'error' ? kind : { ...kind, decision: kind.decision?.decision ?? null };
  for (const [at, field] of FIELDS.entries()) {
    view.setUint8(at, 1 + (WORDS[field] as readonly unknown[]).indexOf(words[field]));
  }
  if (kind.status === 'error') return;
  view.setUint8(
    SIGNALS_AT,
    SIGNALS.reduce((bits, signal, bit) => bits | (Number(kind[signal]) << bit), 0),
  );
  view.setUint16(RULE_AT, kind.decision === null ? 0 : rules.indexOf(kind.decision.ruleId), true);
  view.setFloat64(PROBABILITY_AT, kind.bounceProbability, true);
  if (kind.meantDomain) view.setUint16(MEANT_AT, rules.length + domains.indexOf(kind.meantDomain) + 1, true);
  UTF8.encodeInto(
    traceId?.slice('vr_'.length) ?? '',
    new Uint8Array(view.buffer, view.byteOffset + TRACE_AT, TRACE_BYTES),
  );
}

const LATIN1 = new TextDecoder('latin1');

/** Bounds memory for a file where every probability differs. Most files have few kinds of rows. */
const KINDS_MAX = 4_096;

/** Equal kinds are one object, so that cells made from a kind can be cached by it. */
export class RowKinds {
  private readonly known = new Map<string, RowKind>();

  of(text: string, decode: () => RowKind | null): RowKind | null {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const kind = decode();
    if (this.known.size >= KINDS_MAX) this.known.clear();
    if (kind !== null) this.known.set(text, kind);
    return kind;
  }
}

export class ChunkResults {
  private readonly bytes: Uint8Array;
  private readonly recordsAt: number;
  private readonly names: readonly string[];
  private readonly kinds: RowKinds;

  private constructor(bytes: Uint8Array, recordsAt: number, names: readonly string[], kinds: RowKinds) {
    this.bytes = bytes;
    this.recordsAt = recordsAt;
    this.names = names;
    this.kinds = kinds;
  }

  /** Null for another version, or truncated bytes. */
  static open(bytes: Uint8Array, kinds: RowKinds = new RowKinds()): ChunkResults | null {
    if (bytes.length < HEAD_BYTES) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (view.getUint32(0, true) !== VERSION) return null;
    const length = view.getUint32(4, true);
    if ((bytes.length - HEAD_BYTES - length) % RECORD_BYTES !== 0 || HEAD_BYTES + length > bytes.length) return null;
    const names = new TextDecoder().decode(bytes.subarray(HEAD_BYTES, HEAD_BYTES + length));
    return new ChunkResults(bytes, HEAD_BYTES + length, JSON.parse(names) as string[], kinds);
  }

  /** Null means not reached. */
  at(index: number): RowResult | null {
    const start = this.recordsAt + index * RECORD_BYTES;
    if (start + RECORD_BYTES > this.bytes.length) return null;
    const text = LATIN1.decode(this.bytes.subarray(start, start + RECORD_BYTES));
    const isDecided = this.bytes[start + DECISION_AT] !== 0;
    const ruleId = isDecided ? (this.names[this.numberAt(start + RULE_AT)] ?? '') : '';
    const meantDomain = this.meantAt(index);
    // Numbers of names are specific to the chunk, so the key contains the names themselves.
    const name = `${text.slice(0, RULE_AT)}${text.slice(PROBABILITY_AT, TRACE_AT)}${meantDomain ?? ''} ${ruleId}`;
    const kind = this.kinds.of(name, () => this.kindAt(start, ruleId, meantDomain));
    if (kind === null) return null;
    if (kind.status === 'error') return ERROR_ROW;
    return { kind, traceId: `vr_${text.slice(TRACE_AT, TRACE_AT + TRACE_BYTES)}` };
  }

  /** The places of addresses whose domain is a typo, ascending. */
  slips(): number[] {
    const records = (this.bytes.length - this.recordsAt) / RECORD_BYTES;
    return Array.from({ length: records }, (_, index) => index).filter((index) => this.meantAt(index) !== null);
  }

  private meantAt(index: number): string | null {
    return this.names[this.numberAt(this.recordsAt + index * RECORD_BYTES + MEANT_AT) - 1] ?? null;
  }

  private numberAt(at: number): number {
    return (this.bytes[at] ?? 0) + 256 * (this.bytes[at + 1] ?? 0);
  }

  private kindAt(start: number, ruleId: string, meantDomain: string | null): RowKind | null {
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + start, RECORD_BYTES);
    const word = <F extends WordField>(field: F): (typeof WORDS)[F][number] | undefined =>
      WORDS[field][view.getUint8(FIELDS.indexOf(field)) - 1];
    const [status, decision, basis] = [word('status'), word('decision'), word('basis')];
    const [verdict, recommendation, emailType] = [word('verdict'), word('recommendation'), word('emailType')];
    const [esp, mailboxType, actorClass] = [word('esp'), word('mailboxType'), word('actorClass')];
    if (status === 'error') return { status };
    if (!status || !verdict || !recommendation || !emailType || !esp || !mailboxType || !actorClass || !basis)
      return null;
    const bits = view.getUint8(SIGNALS_AT);
    return {
      status,
      verdict,
      recommendation,
      emailType,
      esp,
      mailboxType,
      actorClass,
      bounceProbability: view.getFloat64(PROBABILITY_AT, true),
      reason: word('reason') ?? null,
      basis,
      warning: word('warning') ?? null,
      disposable: (bits & 1) > 0,
      roleAccount: (bits & 2) > 0,
      catchAll: (bits & 4) > 0,
      relayAlias: (bits & 8) > 0,
      meantDomain,
      decision:
        decision === undefined
          ? null
          : {
              decision,
              ruleId,
            },
    };
  }
}

export const rowResultOf = (
  answer: ShownVerification,
  { meantDomain, basis, decision }: Pick<Extract<RowKind, { status: 'ok' }>, 'meantDomain' | 'basis' | 'decision'>,
): RowResult => ({
  kind: {
    status: 'ok',
    ...answerKept(answer),
    catchAll: answer.signals.catch_all,
    relayAlias: answer.signals.relay_alias,
    meantDomain,
    basis,
    decision,
  },
  traceId: answer.trace_id as Id<'vr'>,
});
