import type { RouteId, ROUTES } from '../contract/routes.ts';
import * as settings from '../services/account-settings.ts';
import { listAudit } from '../services/audit.ts';
import * as results from '../services/bulk/results.ts';
import * as jobs from '../services/bulk/jobs.ts';
import * as uploads from '../services/bulk/uploads.ts';
import { readCalibration } from '../services/calibration.ts';
import * as connections from '../services/connections.ts';
import { exportAddress } from '../services/export-address.ts';
import * as forgetting from '../services/forget.ts';
import * as insights from '../services/insights.ts';
import * as keys from '../services/keys.ts';
import { importOutcomes } from '../services/mail-reports.ts';
import * as members from '../services/members.ts';
import * as operatorKeys from '../services/operator-keys.ts';
import * as organisations from '../services/organisations.ts';
import * as outcomes from '../services/outcomes.ts';
import { decide } from '../services/policy/decide.ts';
import * as policies from '../services/policy/policies.ts';
import { rebuildOrganisation } from '../services/rebuild-organisation.ts';
import * as rules from '../services/rules.ts';
import * as screenings from '../services/screening/screenings.ts';
import * as status from '../services/status.ts';
import * as traces from '../services/traces.ts';
import * as usage from '../services/usage.ts';
import type { OpenVerb, Verb } from '../services/verb.ts';
import { putLosses } from '../services/verification/put-losses.ts';
import { readLosses } from '../services/verification/read-losses.ts';
import { simulateLosses } from '../services/verification/simulate-losses.ts';
import * as webhooks from '../services/webhooks.ts';
import { FIRST_VERBS } from './first-verbs.ts';

type VerbOf<R extends (typeof ROUTES)[RouteId]> = R['access'] extends 'public' | 'bootstrap' ? OpenVerb<R> : Verb<R>;

/** Each route's verb. A missing verb, or one of another route, is a compile error. */
export const VERBS = {
  health: FIRST_VERBS.health,
  verify: FIRST_VERBS.verify,
  check: FIRST_VERBS.check,
  screen: screenings.screen,
  screenings: screenings.listScreenings,
  screening: screenings.readScreening,
  decide,
  policies: policies.listPolicies,
  policy: policies.readPolicy,
  putPolicy: policies.putPolicy,
  simulatePolicy: policies.simulatePolicy,
  losses: readLosses,
  putLosses,
  simulateLosses,
  listBlockedDomains: rules.listBlockedDomains,
  blockDomains: rules.blockDomains,
  unblockDomains: rules.unblockDomains,
  listAllowedDomains: rules.listAllowedDomains,
  allowDomains: rules.allowDomains,
  unallowDomains: rules.unallowDomains,
  checkDomain: rules.checkDomain,
  listBlockedAddresses: rules.listBlockedAddresses,
  blockAddresses: rules.blockAddresses,
  unblockAddresses: rules.unblockAddresses,
  listAllowedAddresses: rules.listAllowedAddresses,
  allowAddresses: rules.allowAddresses,
  unallowAddresses: rules.unallowAddresses,
  checkAddress: rules.checkAddress,
  createBulkJob: jobs.createJob,
  listBulkJobs: jobs.listJobs,
  bulkJob: jobs.readJob,
  changeBulkJob: uploads.changeJob,
  deleteBulkJob: jobs.deleteJob,
  uploadBulkFile: uploads.uploadFile,
  pasteBulkEmails: uploads.pasteEmails,
  estimateBulkJob: jobs.readEstimate,
  startBulkJob: jobs.startJob,
  cancelBulkJob: jobs.cancelJob,
  resumeBulkJob: jobs.resumeJob,
  checkBulkJobAgain: uploads.againJob,
  bulkResults: results.downloadResults,
  bulkPreview: results.previewJob,
  blockBulkSegment: results.blockSegment,
  outcome: outcomes.reportOutcome,
  importOutcomes,
  events: outcomes.recordEvents,
  ownConnections: connections.listOwnConnections,
  createOwnConnection: connections.createOwnConnection,
  changeOwnConnection: connections.changeOwnConnection,
  deleteOwnConnection: connections.deleteOwnConnection,
  stripeWebhook: webhooks.receiveStripeWebhook,
  sesWebhook: webhooks.receiveSesWebhook,
  sendgridWebhook: webhooks.receiveSendgridWebhook,
  postmarkWebhook: webhooks.receivePostmarkWebhook,
  mailgunWebhook: webhooks.receiveMailgunWebhook,
  resendWebhook: webhooks.receiveResendWebhook,
  experiments: insights.readExperiments,
  segments: insights.readSegments,
  recommendations: insights.readRecommendations,
  traces: traces.listTraces,
  trace: traces.readTrace,
  searchTraces: traces.searchTraces,
  calibration: readCalibration,
  me: keys.readIdentity,
  usage: usage.readUsage,
  usageSeries: usage.readUsageSeries,
  ownKeys: keys.listOwnKeys,
  createOwnKey: keys.createOwnKey,
  changeOwnKey: keys.changeOwnKey,
  revokeOwnKey: keys.revokeOwnKey,
  rotateOwnKey: keys.rotateOwnKey,
  ownOrganisation: organisations.readOwnOrganisation,
  alerts: settings.readAlerts,
  putAlerts: settings.putAlerts,
  changeOwnOrganisation: organisations.changeOwnOrganisation,
  deleteOwnOrganisation: organisations.deleteOwnOrganisation,
  members: members.listMembers,
  changeMember: members.changeMember,
  removeMember: members.removeMember,
  leaveOrganisation: members.leaveOrganisation,
  invitations: members.listInvitations,
  createInvitation: members.createInvitation,
  withdrawInvitation: members.withdrawInvitation,
  audit: listAudit,
  bootstrap: operatorKeys.bootstrap,
  createOrganisation: organisations.createOrganisation,
  listOrganisations: organisations.listOrganisations,
  changeOrganisation: organisations.changeOrganisation,
  deleteOrganisation: organisations.deleteOrganisation,
  rebuildOrganisation,
  createKey: operatorKeys.createKey,
  listKeys: operatorKeys.listKeys,
  revokeKey: operatorKeys.revokeKey,
  createConnection: connections.createConnection,
  listConnections: connections.listConnections,
  changeConnection: connections.changeConnection,
  deleteConnection: connections.deleteConnection,
  createUser: organisations.createUser,
  forget: forgetting.forgetPerson,
  exportAddress,
  subprocessors: settings.listSubprocessors,
  switchSubprocessor: settings.switchSubprocessor,
  retention: settings.readRetention,
  putRetention: settings.putRetention,
  forgetAddress: forgetting.forgetAddress,
  acceptSource: status.acceptSource,
  status: status.readStatus,
} satisfies { readonly [K in RouteId]: VerbOf<(typeof ROUTES)[K]> };
