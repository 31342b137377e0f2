import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ActorClass,
  CheckReason,
  EmailType,
  Esp,
  MailboxType,
  Recommendation,
  Verdict,
} from '../../../../src/contract/vocabulary.ts';
import { PROVIDER_WARNINGS, type ProviderWarning } from '../../../../src/domain/belief/provider.ts';
import {
  ERROR_ROW,
  encodeChunk,
  ChunkResults,
  type RowKind,
  RowKinds,
  type RowResult,
  WORDS,
} from '../../../../src/domain/bulk/results/row-result.ts';
import { idFromBytes } from '../../../../src/kernel/ids.ts';
import { CHECKED_ROW } from '../../../support/records.ts';

const of = <const T>(words: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...words);
type Checked = Extract<RowKind, { status: 'ok' }>;
const kind: fc.Arbitrary<RowKind> = fc.record({
  status: fc.constant('ok' as const),
  verdict: of(Verdict.options),
  bounceProbability: fc.double({ min: 0, max: 1, noNaN: true }),
  recommendation: of(Recommendation.options),
  reason: fc.option<CheckReason>(of(CheckReason.options)),
  emailType: of(EmailType.options),
  esp: of(Esp.options),
  mailboxType: of(MailboxType.options),
  actorClass: of(ActorClass.options),
  disposable: fc.boolean(),
  roleAccount: fc.boolean(),
  catchAll: fc.boolean(),
  relayAlias: fc.boolean(),
  meantDomain: fc.option<string>(fc.domain()),
  basis: of(WORDS.basis),
  warning: fc.option<ProviderWarning>(of(WORDS.warning)),
  decision: fc.option<NonNullable<Checked['decision']>>(
    fc.record({ decision: of(WORDS.decision), ruleId: fc.string({ unit: 'binary' }) }),
  ),
});
const traceId = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => idFromBytes('vr', bytes));
const checked: fc.Arbitrary<RowResult> = fc.record({ kind, traceId });
const row = fc.option(fc.oneof({ weight: 5, arbitrary: checked }, { weight: 1, arbitrary: fc.constant(ERROR_ROW) }));

const KIND: Checked = { ...CHECKED_ROW, decision: { decision: 'allow', ruleId: 'default' } };
const SAMPLE: RowResult = { kind: KIND, traceId: idFromBytes('vr', new Uint8Array(16)) };

describe('results of a chunk', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 100 }), (results) => {
        const opened = ChunkResults.open(encodeChunk(results));
        expect(results.map((_, i) => opened?.at(i))).toEqual(results);
        expect(opened?.at(results.length)).toBeNull();
        expect(opened?.slips()).toEqual(
          results.flatMap((one, i) => (one?.kind.status === 'ok' && one.kind.meantDomain !== null ? [i] : [])),
        );
      }),
    );
  });

  it('share one object a kind, over chunks whose rules are numbered otherwise', () => {
    const decided = (ruleId: string): RowResult => ({
      ...SAMPLE,
      kind: { ...KIND, decision: { decision: 'deny', ruleId } },
    });
    const kinds = new RowKinds();
    const [one, other] = [
      [decided('a'), decided('b')],
      [decided('b'), decided('a')],
    ].map((rows) => ChunkResults.open(encodeChunk(rows), kinds));
    expect(one?.at(0)?.kind).toBe(other?.at(1)?.kind);
    expect(one?.at(0)?.kind).toEqual(decided('a').kind);
    expect(other?.at(0)?.kind).toEqual(decided('b').kind);
  });

  it('are different kinds where the corrected domain differs', () => {
    const meant = (meantDomain: string | null): RowResult => ({ ...SAMPLE, kind: { ...KIND, meantDomain } });
    const rows = [meant('gmail.com'), meant('yahoo.com'), meant(null)];
    const opened = ChunkResults.open(encodeChunk(rows));
    expect(rows.map((_, i) => opened?.at(i))).toEqual(rows);
  });

  it('fit into memory for a hundred thousand addresses', () => {
    const bytes = encodeChunk(Array.from({ length: 100 }, () => SAMPLE));
    expect(bytes.length * 1_000).toBeLessThan(8 * 2 ** 20);
  });

  it('are refused in another version, or cut off', () => {
    const bytes = encodeChunk([SAMPLE, null]);
    const other = bytes.slice();
    for (const version of [0, 2]) {
      other[0] = version;
      expect(ChunkResults.open(other)).toBeNull();
    }
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = ChunkResults.open(bytes.slice(0, length));
      // Anything but whole records is refused; fewer of them are told by their count.
      expect(cut?.at(1) ?? null).toBeNull();
    }
  });

  it('have every word of the contract', () => {
    const contract = {
      verdict: Verdict,
      recommendation: Recommendation,
      reason: CheckReason,
      emailType: EmailType,
      esp: Esp,
      mailboxType: MailboxType,
      actorClass: ActorClass,
    };
    for (const [field, { options }] of Object.entries(contract)) {
      expect([field, [...WORDS[field as keyof typeof contract]].toSorted()]).toEqual([field, [...options].toSorted()]);
    }
    expect(WORDS.warning.toSorted()).toEqual(PROVIDER_WARNINGS.toSorted());
  });

  it('keep the place of each word, so that files written before a word was added are still read', () => {
    const bytes = encodeChunk([{ ...SAMPLE, kind: { ...KIND, reason: 'no_mx', emailType: 'relay' } }]);
    const record = bytes.slice(-52);
    expect([...record.subarray(0, 11)]).toEqual([1, 1, 1, 4, 5, 5, 1, 1, 2, 0, 1]);
  });
});
