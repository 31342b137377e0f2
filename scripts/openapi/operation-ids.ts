import type { RouteDeclaration } from '../../src/contract/route.ts';
import type { RouteId } from '../../src/contract/routes.ts';

/** Operations whose route has a name that says less outside our code: generated clients make functions of these. */
const NAMES: Readonly<Partial<Record<RouteId, string>>> = {
  health: 'getHealth',
  verify: 'verifyEmail',
  check: 'checkEmail',
  screen: 'screenContact',
  screenings: 'listScreenings',
  screening: 'getScreening',
  decide: 'decideSignup',
  policies: 'listPolicies',
  policy: 'getPolicy',
  putPolicy: 'savePolicy',
  losses: 'getLosses',
  putLosses: 'saveLosses',
  experiments: 'listExperiments',
  bulkJob: 'getBulkJob',
  bulkResults: 'downloadBulkResults',
  bulkPreview: 'previewBulkJob',
  outcome: 'reportOutcome',
  events: 'sendEvents',
  ownConnections: 'listConnections',
  createOwnConnection: 'createConnection',
  changeOwnConnection: 'changeConnection',
  deleteOwnConnection: 'deleteConnection',
  subprocessors: 'listSubprocessors',
  alerts: 'getAlerts',
  putAlerts: 'saveAlerts',
  retention: 'getRetention',
  putRetention: 'saveRetention',
  traces: 'listTraces',
  trace: 'getTrace',
  calibration: 'getCalibration',
  segments: 'getSegments',
  recommendations: 'getRecommendations',
  me: 'getIdentity',
  usage: 'getUsage',
  usageSeries: 'getUsageSeries',
  ownKeys: 'listKeys',
  createOwnKey: 'createKey',
  changeOwnKey: 'changeKey',
  revokeOwnKey: 'revokeKey',
  rotateOwnKey: 'rotateKey',
  ownOrganisation: 'getOrganisation',
  changeOwnOrganisation: 'changeOrganisation',
  deleteOwnOrganisation: 'deleteOrganisation',
  members: 'listMembers',
  invitations: 'listInvitations',
  audit: 'listAuditEntries',
  bootstrap: 'createFirstKey',
  status: 'getStatus',
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `operatorCreateKey`, `receiveStripeWebhook`: several parts of the API have a key or a connection. */
export function operationIdOf(id: string, { path, signed }: RouteDeclaration): string {
  const name = NAMES[id as RouteId] ?? id;
  if (signed !== undefined) return `receive${capital(name)}`;
  return path.startsWith('/operator/') ? `operator${capital(name)}` : name;
}

/** `operatorListKeys`: "List keys". */
export function titleOf(id: string, route: RouteDeclaration): string {
  const name = operationIdOf(id, route).replace(/^operator/, '');
  return capital(name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim());
}
