import { expect, it } from 'vitest';
import type * as client from '../../../src/client/client.ts';
import type { CheckResult } from '../../../src/contract/check.ts';
import type { ErrorCode } from '../../../src/contract/error.ts';
import type {
  ProviderReceipt,
  Signals,
  Verification,
  VerificationContext,
} from '../../../src/contract/verification.ts';
import type * as vocabulary from '../../../src/contract/vocabulary.ts';

/** Mutual assignability is not enough: `any`, an optional member or a wider union would pass. */
type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : { readonly differ: [A, B] };
const equal = <A, B>(same: Equal<A, B>): unknown => same;

it('the client’s types are those of the contract’s schemas', () => {
  const pairs = [
    equal<client.CheckResult, CheckResult>(true),
    equal<client.Checks, CheckResult['checks']>(true),
    equal<client.Verification, Verification>(true),
    equal<client.VerificationContext, VerificationContext>(true),
    equal<client.Signals, Signals>(true),
    equal<client.ProviderReceipt, ProviderReceipt>(true),
    equal<client.ServiceErrorCode, ErrorCode>(true),
    equal<client.Verdict, vocabulary.Verdict>(true),
    equal<client.Recommendation, vocabulary.Recommendation>(true),
    equal<client.Purpose, vocabulary.Purpose>(true),
    equal<client.ActorClass, vocabulary.ActorClass>(true),
    equal<client.MailboxType, vocabulary.MailboxType>(true),
    equal<client.Esp, vocabulary.Esp>(true),
    equal<client.EmailType, vocabulary.EmailType>(true),
    equal<client.MxProvider, vocabulary.MxProvider>(true),
    equal<client.CheckReason, vocabulary.CheckReason>(true),
  ];
  expect(new Set(pairs)).toEqual(new Set([true]));
});
