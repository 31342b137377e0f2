import type { ROUTES, RouteId } from '../contract/routes.ts';
import { listAudit } from '../services/access/list-audit.ts';
import {
  changeMember,
  createInvitation,
  leaveOrganisation,
  listInvitations,
  listMembers,
  removeMember,
  withdrawInvitation,
} from '../services/access/members.ts';
import { changeOwnKey, createOwnKey, listOwnKeys, revokeOwnKey, rotateOwnKey } from '../services/access/own-keys.ts';
import { readIdentity } from '../services/access/read-identity.ts';
import { blockSegment } from '../services/bulk/block-segment.ts';
import { cancelJob } from '../services/bulk/cancel-job.ts';
import { changeJob } from '../services/bulk/change-job.ts';
import { createJob } from '../services/bulk/create-job.ts';
import { deleteJob } from '../services/bulk/delete-job.ts';
import { downloadResults } from '../services/bulk/download-results.ts';
import { listJobs } from '../services/bulk/list-jobs.ts';
import { pasteEmails } from '../services/bulk/paste-emails.ts';
import { previewJob } from '../services/bulk/preview-job.ts';
import { readEstimate } from '../services/bulk/read-estimate.ts';
import { readJob } from '../services/bulk/read-job.ts';
import { resumeJob } from '../services/bulk/resume-job.ts';
import { startJob } from '../services/bulk/start-job.ts';
import { uploadFile } from '../services/bulk/upload-file.ts';
import { readCalibration } from '../services/calibration/read-calibration.ts';
import { changeConnection } from '../services/connections/change-connection.ts';
import { changeOwnConnection } from '../services/connections/change-own-connection.ts';
import { createConnection } from '../services/connections/create-connection.ts';
import { createOwnConnection } from '../services/connections/create-own-connection.ts';
import { deleteConnection } from '../services/connections/delete-connection.ts';
import { deleteOwnConnection } from '../services/connections/delete-own-connection.ts';
import { listConnections } from '../services/connections/list-connections.ts';
import { listOwnConnections } from '../services/connections/list-own-connections.ts';
import {
  receiveMailgunWebhook,
  receivePostmarkWebhook,
  receiveResendWebhook,
  receiveSendgridWebhook,
  receiveSesWebhook,
} from '../services/connections/receive-mail-webhook.ts';
import { receiveStripeWebhook } from '../services/connections/receive-stripe-webhook.ts';
import { importOutcomes } from '../services/feedback/import-outcomes.ts';
import { recordEvents } from '../services/feedback/record-events.ts';
import { reportOutcome } from '../services/feedback/report-outcome.ts';
import { readExperiments } from '../services/insights/read-experiments.ts';
import { readRecommendations } from '../services/insights/read-recommendations.ts';
import { readSegments } from '../services/insights/read-segments.ts';
import { acceptSource } from '../services/lists/accept-source.ts';
import { readUsage } from '../services/metering/read-usage.ts';
import { readUsageSeries } from '../services/metering/read-usage-series.ts';
import { bootstrap } from '../services/operator/bootstrap.ts';
import { changeOrganisation } from '../services/operator/change-organisation.ts';
import { createKey } from '../services/operator/create-key.ts';
import { createOrganisation } from '../services/operator/create-organisation.ts';
import { createUser } from '../services/operator/create-user.ts';
import { deleteOrganisation } from '../services/operator/delete-organisation.ts';
import { forgetPerson } from '../services/operator/forget-person.ts';
import { listKeys } from '../services/operator/list-keys.ts';
import { listOrganisations } from '../services/operator/list-organisations.ts';
import { putAlerts, readAlerts } from '../services/operator/own-alerts.ts';
import {
  changeOwnOrganisation,
  deleteOwnOrganisation,
  readOwnOrganisation,
} from '../services/operator/own-organisation.ts';
import { readStatus } from '../services/operator/read-status.ts';
import { rebuildOrganisation } from '../services/operator/rebuild-organisation.ts';
import { revokeKey } from '../services/operator/revoke-key.ts';
import { decide } from '../services/policy/decide.ts';
import { listPolicies } from '../services/policy/list-policies.ts';
import { putPolicy } from '../services/policy/put-policy.ts';
import { readPolicy } from '../services/policy/read-policy.ts';
import { simulatePolicy } from '../services/policy/simulate-policy.ts';
import { exportAddress } from '../services/privacy/export-address.ts';
import { forgetAddress } from '../services/privacy/forget-address.ts';
import { putRetention, readRetention } from '../services/privacy/retention.ts';
import { listSubprocessors, switchSubprocessor } from '../services/privacy/subprocessors.ts';
import { allowAddresses, allowDomains, blockAddresses, blockDomains } from '../services/rules/add-rules.ts';
import { checkAddress } from '../services/rules/check-address.ts';
import { checkDomain } from '../services/rules/check-domain.ts';
import {
  listAllowedAddresses,
  listAllowedDomains,
  listBlockedAddresses,
  listBlockedDomains,
} from '../services/rules/list-rules.ts';
import { unallowAddresses, unallowDomains, unblockAddresses, unblockDomains } from '../services/rules/remove-rules.ts';
import { listScreenings } from '../services/screening/list-screenings.ts';
import { readScreening } from '../services/screening/read-screening.ts';
import { screen } from '../services/screening/screen.ts';
import { listTraces, searchTraces } from '../services/traces/list-traces.ts';
import { readTrace } from '../services/traces/read-trace.ts';
import type { OpenVerb, Verb } from '../services/verb.ts';
import { putLosses } from '../services/verification/put-losses.ts';
import { readLosses } from '../services/verification/read-losses.ts';
import { simulateLosses } from '../services/verification/simulate-losses.ts';
import { FIRST_VERBS } from './first-verbs.ts';

type VerbOf<R extends (typeof ROUTES)[RouteId]> = R['access'] extends 'public' | 'bootstrap' ? OpenVerb<R> : Verb<R>;

/** Each route's verb. A missing verb, or one of another route, is a compile error. */
export const VERBS = {
  health: FIRST_VERBS.health,
  verify: FIRST_VERBS.verify,
  check: FIRST_VERBS.check,
  screen,
  screenings: listScreenings,
  screening: readScreening,
  decide,
  policies: listPolicies,
  policy: readPolicy,
  putPolicy,
  simulatePolicy,
  losses: readLosses,
  putLosses,
  simulateLosses,
  listBlockedDomains,
  blockDomains,
  unblockDomains,
  listAllowedDomains,
  allowDomains,
  unallowDomains,
  checkDomain,
  listBlockedAddresses,
  blockAddresses,
  unblockAddresses,
  listAllowedAddresses,
  allowAddresses,
  unallowAddresses,
  checkAddress,
  createBulkJob: createJob,
  listBulkJobs: listJobs,
  bulkJob: readJob,
  changeBulkJob: changeJob,
  deleteBulkJob: deleteJob,
  uploadBulkFile: uploadFile,
  pasteBulkEmails: pasteEmails,
  estimateBulkJob: readEstimate,
  startBulkJob: startJob,
  cancelBulkJob: cancelJob,
  resumeBulkJob: resumeJob,
  bulkResults: downloadResults,
  bulkPreview: previewJob,
  blockBulkSegment: blockSegment,
  outcome: reportOutcome,
  importOutcomes,
  events: recordEvents,
  ownConnections: listOwnConnections,
  createOwnConnection,
  changeOwnConnection,
  deleteOwnConnection,
  stripeWebhook: receiveStripeWebhook,
  sesWebhook: receiveSesWebhook,
  sendgridWebhook: receiveSendgridWebhook,
  postmarkWebhook: receivePostmarkWebhook,
  mailgunWebhook: receiveMailgunWebhook,
  resendWebhook: receiveResendWebhook,
  experiments: readExperiments,
  segments: readSegments,
  recommendations: readRecommendations,
  traces: listTraces,
  trace: readTrace,
  searchTraces,
  calibration: readCalibration,
  me: readIdentity,
  usage: readUsage,
  usageSeries: readUsageSeries,
  ownKeys: listOwnKeys,
  createOwnKey,
  changeOwnKey,
  revokeOwnKey,
  rotateOwnKey,
  ownOrganisation: readOwnOrganisation,
  alerts: readAlerts,
  putAlerts,
  changeOwnOrganisation,
  deleteOwnOrganisation,
  members: listMembers,
  changeMember,
  removeMember,
  leaveOrganisation,
  invitations: listInvitations,
  createInvitation,
  withdrawInvitation,
  audit: listAudit,
  bootstrap,
  createOrganisation,
  listOrganisations,
  changeOrganisation,
  deleteOrganisation,
  rebuildOrganisation,
  createKey,
  listKeys,
  revokeKey,
  createConnection,
  listConnections,
  changeConnection,
  deleteConnection,
  createUser,
  forget: forgetPerson,
  exportAddress,
  subprocessors: listSubprocessors,
  switchSubprocessor,
  retention: readRetention,
  putRetention,
  forgetAddress,
  acceptSource,
  status: readStatus,
} satisfies { readonly [K in RouteId]: VerbOf<(typeof ROUTES)[K]> };
