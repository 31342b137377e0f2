import { expect, it } from 'vitest';
import type * as z from 'zod';
import type { Usage } from '../../src/contract/account.ts';
import type * as bulk from '../../src/contract/bulk.ts';
import type { CalibrationReport } from '../../src/contract/calibration.ts';
import type {
  CheckResult,
  ProviderReceipt,
  Signals,
  Verification,
  VerificationContext,
} from '../../src/contract/verification.ts';
import type { DecisionResult } from '../../src/contract/decision.ts';
import type { ErrorCode } from '../../src/contract/error.ts';
import type { OutcomeReceipt } from '../../src/contract/feedback.ts';
import type { Segments } from '../../src/contract/insights.ts';
import type { ROUTES, RouteId } from '../../src/contract/routes.ts';
import type * as rules from '../../src/contract/rules.ts';
import type * as screening from '../../src/contract/screening.ts';
import type * as vocabulary from '../../src/contract/vocabulary.ts';
import { segmentsOf } from '../../src/domain/bulk/results/segments.ts';
import type * as client from '../src/client.ts';

/** Mutual assignability is not enough: `any`, an optional member or a wider union would pass. */
type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : { readonly differ: [A, B] };
const equal = <A, B>(same: Equal<A, B>): unknown => same;
const fits = <Sent, Taken>(fit: Sent extends Taken ? true : { readonly misfit: [Sent, Taken] }): unknown => fit;

it('the client’s types are those of the contract’s schemas', () => {
  const pairs = [
    equal<client.CheckResult, CheckResult>(true),
    equal<client.Checks, CheckResult['checks']>(true),
    equal<client.Verification, Verification>(true),
    equal<client.VerificationContext, VerificationContext>(true),
    equal<client.Signals, Signals>(true),
    equal<client.ProviderReceipt, ProviderReceipt>(true),
    equal<client.ScreeningResult, screening.ScreeningResult>(true),
    equal<client.ScreeningLabels, screening.ScreeningLabels>(true),
    equal<client.ScreeningReason, screening.ScreeningReason>(true),
    equal<client.DomainStanding, rules.DomainStanding>(true),
    equal<client.AddressStanding, rules.AddressStanding>(true),
    equal<client.RulesAdded, rules.RulesAdded>(true),
    equal<client.RulesRemoved, rules.RulesRemoved>(true),
    equal<client.RejectedEntry, rules.RejectedEntry>(true),
    equal<client.DomainList, rules.DomainList>(true),
    equal<client.DomainEntry, rules.DomainList['entries'][number]>(true),
    equal<client.AddressList, rules.AddressList>(true),
    equal<client.AddressEntry, rules.AddressList['entries'][number]>(true),
    equal<client.Rule, rules.DomainList['rule']>(true),
    equal<client.BulkJob, bulk.BulkJob>(true),
    equal<client.BulkState, bulk.BulkState>(true),
    equal<client.BulkErrorCode, bulk.BulkErrorCode>(true),
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
    equal<client.DecisionResult, DecisionResult>(true),
    equal<client.Usage, Usage>(true),
    equal<client.OutcomeReceipt, OutcomeReceipt>(true),
    equal<client.Segments, Segments>(true),
    equal<client.CalibrationReport, CalibrationReport>(true),
  ];
  expect(new Set(pairs)).toEqual(new Set([true]));
});

/** The route whose answer a function hands on. */
interface RouteOf {
  checkEmail: 'check';
  verifyEmail: 'verify';
  screenEmail: 'screen';
  checkDomain: 'checkDomain';
  blockDomains: 'blockDomains';
  unblockDomains: 'unblockDomains';
  allowDomains: 'allowDomains';
  unallowDomains: 'unallowDomains';
  listBlockedDomains: 'listBlockedDomains';
  listAllowedDomains: 'listAllowedDomains';
  checkAddress: 'checkAddress';
  blockAddresses: 'blockAddresses';
  unblockAddresses: 'unblockAddresses';
  allowAddresses: 'allowAddresses';
  unallowAddresses: 'unallowAddresses';
  listBlockedAddresses: 'listBlockedAddresses';
  listAllowedAddresses: 'listAllowedAddresses';
}

type Route<Id extends RouteId> = (typeof ROUTES)[Id];
type Answer<Id extends RouteId> = Route<Id>['response'] extends { readonly schema: infer S } ? z.output<S> : never;
type Body<Id extends RouteId> = Route<Id> extends { readonly body: { readonly schema: infer S } } ? z.input<S> : never;
type Query<Id extends RouteId> = Route<Id> extends { readonly query: infer S } ? z.output<S> : never;
type Returned<Name extends keyof client.Client> = Awaited<ReturnType<client.Client[Name]>>;

it('every function returns what its route answers, the others what they say', () => {
  type Functions = { [Name in keyof RouteOf]: Equal<Returned<Name>, Answer<RouteOf[Name]>> };
  // Those of the account hand on what the document names: test/account.test.ts.
  type Others = Exclude<keyof client.Client, keyof RouteOf | keyof client.AccountFunctions>;
  const checked = [
    equal<Functions, { [_ in keyof RouteOf]: true }>(true),
    equal<
      { [Name in Others]: Returned<Name> },
      {
        isValidEmail: boolean;
        isDisposableEmail: boolean;
        isDomainDisposable: boolean;
        getEmailProvider: Answer<'check'>['mx_provider'];
        isBusinessEmail: boolean;
        emailType: Answer<'check'>['email_type'];
        isValidContactListEmail: boolean;
        verifyList: { jobId: string; job: Answer<'startBulkJob'>['job'] };
        uploadBulkFile: Answer<'uploadBulkFile'>;
        waitForList: Answer<'bulkJob'>['job'];
        downloadList: string;
      }
    >(true),
  ];
  expect(checked).toEqual([true, true]);
});

it('every argument is what its route takes', () => {
  type Arguments<Name extends keyof client.Client> = Required<Parameters<client.Client[Name]>>;
  type Entries = readonly string[];
  const checked = [
    equal<Arguments<'checkEmail'>, [string, client.CallOptions]>(true),
    fits<{ email: string }, Body<'check'>>(true),
    fits<{ email: string; context: Arguments<'verifyEmail'>[1] }, Body<'verify'>>(true),
    fits<{ email: string; name: Arguments<'screenEmail'>[1] }, Body<'screen'>>(true),
    fits<{ domain: Arguments<'checkDomain'>[0] }, Body<'checkDomain'>>(true),
    fits<{ email: Arguments<'checkAddress'>[0] }, Body<'checkAddress'>>(true),
    fits<
      [Entries, string, client.CallOptions],
      Arguments<'blockDomains' | 'allowDomains' | 'blockAddresses' | 'allowAddresses'>
    >(true),
    fits<{ domains: string[]; note: string }, Body<'blockDomains' | 'allowDomains'>>(true),
    fits<{ emails: string[]; note: string }, Body<'blockAddresses' | 'allowAddresses'>>(true),
    fits<{ domains: string[] }, Body<'unblockDomains' | 'unallowDomains'>>(true),
    fits<{ emails: string[] }, Body<'unblockAddresses' | 'unallowAddresses'>>(true),
    fits<Query<'listBlockedDomains' | 'listAllowedAddresses'>, Arguments<'listBlockedDomains'>[0]>(true),
    // Another parameter would pass the line above.
    equal<keyof Query<'listBlockedDomains'>, keyof Arguments<'listBlockedDomains'>[0]>(true),
    equal<keyof Query<'traces'>, keyof Arguments<'listTraces'>[0]>(true),
    equal<keyof Query<'screenings'>, keyof Arguments<'listScreenings'>[0]>(true),
    equal<keyof Query<'usageSeries'>, keyof Arguments<'getUsageSeries'>[0]>(true),
    equal<keyof Query<'segments'>, keyof Arguments<'getSegments'>[0]>(true),
    equal<keyof Query<'listBulkJobs'>, keyof Arguments<'listBulkJobs'>[0]>(true),
    fits<Pick<Answer<'listBlockedDomains'>, 'cursor'>, Arguments<'listBlockedDomains'>[0]>(true),
    fits<
      {
        name: client.ListOptions['name'];
        purpose: client.ListOptions['purpose'];
        policy_slug: client.ListOptions['policy'];
      },
      Body<'createBulkJob'>
    >(true),
    fits<{ allow_partial: client.ListOptions['allowPartial'] }, Body<'startBulkJob'>>(true),
  ];
  expect(new Set(checked)).toEqual(new Set([true]));
});

it('the segments to download are those of the service', () => {
  const named: Readonly<Record<client.BulkSegment, true>> = {
    all: true,
    deliverable: true,
    undeliverable: true,
    review: true,
    business: true,
    allow: true,
    deny: true,
  };
  const served = [segmentsOf(false), segmentsOf(true)].flatMap((segments) => Object.keys(segments));
  expect(new Set(Object.keys(named))).toEqual(new Set(['all', ...served]));
});
