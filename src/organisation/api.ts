/** The door to organisations' objects: other shelves import nothing else of this one. */
export type { InvitationRefusal, KeyAnswer, KeyRefusal, MemberAnswer, MemberRefusal } from './access-calls.ts';
export type {
  AddressKept,
  AdmitAnswer,
  AdmitRequest,
  Completion,
  DeadLetter,
  FinishRequest,
  Flushed,
  Forgotten,
  HistorySlice,
  ObjectStatus,
  PolicyIdentity,
  PolicyInForce,
  ProbeMatch,
  Refused,
  RuleProbe,
  TrimmedHistory,
  VerifyAnswer,
  VerifyRequest,
} from './calls.ts';
export { accountOf } from './calls.ts';
export { askObject, CALL_TIMEOUT_MS, callObject, type ObjectDeps, type ObjectFailure, objectError } from './client.ts';
export type { AccessPort, BulkPort, OperatorsPort, OrganisationPort, OrganisationStub } from './ports.ts';
export type { Erasure } from './services.ts';
