import type { RouteId, ROUTES } from '../contract/routes.ts';
import {
  listSubprocessors,
  putAlerts,
  putRetention,
  readAlerts,
  readRetention,
  switchSubprocessor,
} from '../services/account-settings.ts';
import { listAudit } from '../services/audit.ts';
import { blockSegment, downloadResults, previewJob } from '../services/bulk/results.ts';
import {
  cancelJob,
  createJob,
  deleteJob,
  listJobs,
  readEstimate,
  readJob,
  resumeJob,
  startJob,
} from '../services/bulk/jobs.ts';
import { againJob, changeJob, pasteEmails, uploadFile } from '../services/bulk/uploads.ts';
import { readCalibration } from '../services/calibration.ts';
import {
  changeConnection,
  changeOwnConnection,
  createConnection,
  createOwnConnection,
  deleteConnection,
  deleteOwnConnection,
  listConnections,
  listOwnConnections,
} from '../services/connections.ts';
import { exportAddress } from '../services/export-address.ts';
import { forgetAddress, forgetPerson } from '../services/forget.ts';
import { readExperiments, readRecommendations, readSegments } from '../services/insights.ts';
import { changeOwnKey, createOwnKey, listOwnKeys, readIdentity, revokeOwnKey, rotateOwnKey } from '../services/keys.ts';
import { importOutcomes } from '../services/mail-reports.ts';
import {
  changeMember,
  createInvitation,
  leaveOrganisation,
  listInvitations,
  listMembers,
  removeMember,
  withdrawInvitation,
} from '../services/members.ts';
import { bootstrap, createKey, listKeys, revokeKey } from '../services/operator-keys.ts';
import {
  changeOrganisation,
  changeOwnOrganisation,
  createOrganisation,
  createUser,
  deleteOrganisation,
  deleteOwnOrganisation,
  listOrganisations,
  readOwnOrganisation,
} from '../services/organisations.ts';
import { recordEvents, reportOutcome } from '../services/outcomes.ts';
import { decide } from '../services/policy/decide.ts';
import { listPolicies, putPolicy, readPolicy, simulatePolicy } from '../services/policy/policies.ts';
import { rebuildOrganisation } from '../services/rebuild-organisation.ts';
import {
  allowAddresses,
  allowDomains,
  blockAddresses,
  blockDomains,
  checkAddress,
  checkDomain,
  listAllowedAddresses,
  listAllowedDomains,
  listBlockedAddresses,
  listBlockedDomains,
  unallowAddresses,
  unallowDomains,
  unblockAddresses,
  unblockDomains,
} from '../services/rules.ts';
import { listScreenings, readScreening, screen } from '../services/screening/screenings.ts';
import { acceptSource, readStatus } from '../services/status.ts';
import { listTraces, readTrace, searchTraces } from '../services/traces.ts';
import { readUsage, readUsageSeries } from '../services/usage.ts';
import type { OpenVerb, Verb } from '../services/verb.ts';
import { putLosses } from '../services/verification/put-losses.ts';
import { readLosses } from '../services/verification/read-losses.ts';
import { simulateLosses } from '../services/verification/simulate-losses.ts';
import {
  receiveMailgunWebhook,
  receivePostmarkWebhook,
  receiveResendWebhook,
  receiveSendgridWebhook,
  receiveSesWebhook,
  receiveStripeWebhook,
} from '../services/webhooks.ts';
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
  checkBulkJobAgain: againJob,
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
