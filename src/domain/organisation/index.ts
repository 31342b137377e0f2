export { type Admission, type AdmissionWish, type Completion, earlierAnswer, type Operation } from './operation.ts';
export {
  drainBackoffMs,
  drainOutbox,
  OUTBOX_BATCH,
  OUTBOX_BATCH_CHARS,
  type OutboxDeps,
  type OutboxRow,
  STATEMENT_CHARS,
  type WriteFailure,
} from './outbox.ts';
export {
  type ListedPolicies,
  POLICIES_MAX,
  type PolicyChange,
  type PolicyPage,
  type PolicyRefused,
  type PolicySaved,
  type PolicyVersion,
  type ProjectedPolicy,
} from './policy-records.ts';
export {
  type AdmitRequest,
  type Admitted,
  type CalibrationInForce,
  type FinishRequest,
  type Flushed,
  type HeldAddress,
  type ObjectStatus,
  type OrganisationAdministration,
  type OrganisationPort,
  type OrganisationSettings,
  type OrganisationSnapshot,
  PORT_VERSION,
  type PolicyIdentity,
  type PolicyInForce,
  type Refused,
  type RuleProbe,
} from './port.ts';
