/** The only entrypoint for other shelves to organisations' objects. */
export {
  accountOf,
  type AuthorizeAnswer,
  type AuthorizeRequest,
  type Completion,
  type DecideAnswer,
  type DecideRequest,
  type CommitRequest,
  type HistorySlice,
  type LookupMatch,
  type Refused,
  type RuleLookup,
  type TrimmedHistory,
  type VerifyAnswer,
  type VerifyRequest,
} from './authorization.ts';
export {
  askObject,
  askOperators,
  CALL_TIMEOUT_MS,
  callObject,
  callOperators,
  type ObjectDeps,
  type ObjectFailure,
  objectError,
  type OperatorsDeps,
  type OperatorsRpc,
  type OrganisationRpc,
} from './client.ts';
export type { ObjectServices } from './core.ts';
export type { AddressKept, Forgotten } from './erasure.ts';
export type { KeyAnswer, KeyRefusal } from './keys.ts';
export type { InvitationRefusal, MemberAnswer, MemberRefusal } from './members.ts';
export type { ObjectStatus } from './metering.ts';
export type { DeadLetter } from './operators-object.ts';
export type { PolicyInForce } from './policies.ts';
export type { Rehash, PendingRehashes } from './rehash.ts';
export type { Erasure, Flushed } from './sql/organisation.ts';
