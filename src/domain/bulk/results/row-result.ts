import type {
  ActorClass,
  CheckReason,
  EmailType,
  Esp,
  MailboxType,
  Recommendation,
  Verdict,
} from '../../../contract/vocabulary.ts';
import type { Id } from '../../../kernel/ids.ts';

export type RowDecision = (typeof WORDS.decision)[number];

/** What a bulk job found out about one unique address. */
export type RowResult =
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
      /** Null without a policy. */
      readonly decision: { readonly decision: RowDecision; readonly ruleId: string } | null;
      readonly traceId: Id<'vr'>;
    };

/** Changes with the layout. */
const VERSION = 1;
const HEAD_BYTES = 8;
const RECORD_BYTES = 48;

/**
 * The words a record's bytes stand for, by place: 0 is none, n the (n − 1)th. They are written down here, and not taken from
 * the contract, since stored files depend on their order: a word may be added at the end of a list; any other change is a
 * new version.
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
  decision: ['allow', 'allow_with_flow', 'review', 'challenge', 'deny'],
} as const satisfies {
  readonly status: readonly RowResult['status'][];
  readonly verdict: readonly Verdict[];
  readonly recommendation: readonly Recommendation[];
  readonly reason: readonly CheckReason[];
  readonly emailType: readonly EmailType[];
  readonly esp: readonly Esp[];
  readonly mailboxType: readonly MailboxType[];
  readonly actorClass: readonly ActorClass[];
  readonly decision: readonly string[];
};
type WordField = keyof typeof WORDS;
const FIELDS = Object.keys(WORDS) as WordField[];

const SIGNALS_AT = 9;
const RULE_AT = 10;
const PROBABILITY_AT = 12;
const TRACE_AT = 20;
/** As text behind its prefix: a hundred thousand of them are read for a download, and base32 of 128 bits takes long. */
const TRACE_BYTES = 26;
const SIGNALS = ['disposable', 'roleAccount', 'catchAll', 'relayAlias'] as const;

/**
 * A range's results in the order of its addresses, 48 bytes each: a hundred thousand are held in 5 MB. Layout,
 * little-endian: version and length of the rule names (u32 each), the names as a JSON array, the records. Null: not reached.
 */
export function encodeRange(results: readonly (RowResult | null)[]): Uint8Array<ArrayBuffer> {
  const rules = [
    ...new Set(
      results.flatMap((result) => (result?.status === 'ok' && result.decision ? [result.decision.ruleId] : [])),
    ),
  ];
  const names = new TextEncoder().encode(JSON.stringify(rules));
  const bytes = new Uint8Array(HEAD_BYTES + names.length + results.length * RECORD_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, VERSION, true);
  view.setUint32(4, names.length, true);
  bytes.set(names, HEAD_BYTES);
  for (const [index, result] of results.entries()) {
    const at = HEAD_BYTES + names.length + index * RECORD_BYTES;
    if (result !== null) encodeRecord(new DataView(bytes.buffer, at, RECORD_BYTES), result, rules);
  }
  return bytes;
}

function encodeRecord(view: DataView<ArrayBuffer>, result: RowResult, rules: readonly string[]): void {
  const words: Partial<Record<WordField, string | null>> =
    result.status === 'error' ? result : { ...result, decision: result.decision?.decision ?? null };
  for (const [at, field] of FIELDS.entries()) {
    view.setUint8(at, 1 + (WORDS[field] as readonly unknown[]).indexOf(words[field]));
  }
  if (result.status === 'error') return;
  view.setUint8(
    SIGNALS_AT,
    SIGNALS.reduce((bits, signal, bit) => bits | (Number(result[signal]) << bit), 0),
  );
  view.setUint16(RULE_AT, result.decision === null ? 0 : rules.indexOf(result.decision.ruleId), true);
  view.setFloat64(PROBABILITY_AT, result.bounceProbability, true);
  new TextEncoder().encodeInto(
    result.traceId.slice('vr_'.length),
    new Uint8Array(view.buffer, view.byteOffset + TRACE_AT, TRACE_BYTES),
  );
}

const ASCII = new TextDecoder();

/** One range's results, decoded one by one as they are asked for. */
export class RangeResults {
  private readonly bytes: ArrayBuffer;
  private readonly recordsAt: number;
  private readonly rules: readonly string[];

  private constructor(bytes: ArrayBuffer, recordsAt: number, rules: readonly string[]) {
    this.bytes = bytes;
    this.recordsAt = recordsAt;
    this.rules = rules;
  }

  /** Null when the bytes are none of this version, or cut off. */
  static open(bytes: ArrayBuffer): RangeResults | null {
    if (bytes.byteLength < HEAD_BYTES) return null;
    const view = new DataView(bytes);
    if (view.getUint32(0, true) !== VERSION) return null;
    const length = view.getUint32(4, true);
    if ((bytes.byteLength - HEAD_BYTES - length) % RECORD_BYTES !== 0 || HEAD_BYTES + length > bytes.byteLength)
      return null;
    const names = new TextDecoder().decode(new Uint8Array(bytes, HEAD_BYTES, length));
    return new RangeResults(bytes, HEAD_BYTES + length, JSON.parse(names) as string[]);
  }

  /** Null: not reached. */
  at(index: number): RowResult | null {
    const start = this.recordsAt + index * RECORD_BYTES;
    if (start + RECORD_BYTES > this.bytes.byteLength) return null;
    const view = new DataView(this.bytes, start, RECORD_BYTES);
    const word = <F extends WordField>(field: F): (typeof WORDS)[F][number] | undefined =>
      WORDS[field][view.getUint8(FIELDS.indexOf(field)) - 1];
    const [status, decision] = [word('status'), word('decision')];
    const [verdict, recommendation, emailType] = [word('verdict'), word('recommendation'), word('emailType')];
    const [esp, mailboxType, actorClass] = [word('esp'), word('mailboxType'), word('actorClass')];
    if (status === 'error') return { status };
    if (!status || !verdict || !recommendation || !emailType || !esp || !mailboxType || !actorClass) return null;
    const bits = view.getUint8(SIGNALS_AT);
    const ruleId = this.rules[view.getUint16(RULE_AT, true)] ?? '';
    return {
      ...{ status, verdict, recommendation, emailType, esp, mailboxType, actorClass },
      bounceProbability: view.getFloat64(PROBABILITY_AT, true),
      reason: word('reason') ?? null,
      disposable: (bits & 1) > 0,
      roleAccount: (bits & 2) > 0,
      catchAll: (bits & 4) > 0,
      relayAlias: (bits & 8) > 0,
      decision: decision === undefined ? null : { decision, ruleId },
      traceId: `vr_${ASCII.decode(new Uint8Array(this.bytes, start + TRACE_AT, TRACE_BYTES))}`,
    };
  }
}
