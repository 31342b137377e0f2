import { describe, expect, it } from 'vitest';
import type { RouteDeclaration } from '../../../src/contract/route.ts';
import { ROUTES, type RouteId } from '../../../src/contract/routes.ts';
import { MCP, TOOLS, toolRoute } from '../../../src/contract/mcp.ts';

/**
 * Who may call what, written down a second time: the least role, with `live` where a test key is
 * refused, and `fresh` where every key is. The other tests read
 * the declarations, so a role that is lowered there would lower what they expect.
 */
const LEAST: Readonly<Record<RouteId, string>> = {
  health: 'public',
  verify: 'member',
  check: 'viewer',
  screen: 'member',
  screenings: 'viewer',
  screening: 'viewer',
  decide: 'member',
  policies: 'viewer',
  policy: 'viewer',
  putPolicy: 'admin, live',
  losses: 'viewer',
  putLosses: 'admin, live',
  simulateLosses: 'member',
  experiments: 'viewer',
  simulatePolicy: 'member',
  listBlockedDomains: 'viewer',
  blockDomains: 'member, live',
  unblockDomains: 'member, live',
  listAllowedDomains: 'viewer',
  allowDomains: 'member, live',
  unallowDomains: 'member, live',
  checkDomain: 'viewer',
  listBlockedAddresses: 'viewer',
  blockAddresses: 'member, live',
  unblockAddresses: 'member, live',
  listAllowedAddresses: 'viewer',
  allowAddresses: 'member, live',
  unallowAddresses: 'member, live',
  checkAddress: 'viewer',
  createBulkJob: 'member',
  listBulkJobs: 'viewer',
  bulkJob: 'viewer',
  changeBulkJob: 'member',
  deleteBulkJob: 'member',
  uploadBulkFile: 'member',
  pasteBulkEmails: 'member',
  estimateBulkJob: 'member',
  startBulkJob: 'member',
  cancelBulkJob: 'member',
  resumeBulkJob: 'member',
  checkBulkJobAgain: 'member',
  bulkResults: 'viewer',
  bulkPreview: 'viewer',
  blockBulkSegment: 'member, live',
  outcome: 'member',
  importOutcomes: 'member, live',
  events: 'member',
  ownConnections: 'admin, live',
  createOwnConnection: 'admin, live',
  changeOwnConnection: 'admin, live',
  deleteOwnConnection: 'admin, live',
  exportAddress: 'admin, live',
  forgetAddress: 'admin, live',
  subprocessors: 'viewer',
  switchSubprocessor: 'admin, live',
  alerts: 'viewer',
  putAlerts: 'admin, live',
  retention: 'viewer',
  putRetention: 'admin, live',
  stripeWebhook: 'public',
  sesWebhook: 'public',
  sendgridWebhook: 'public',
  postmarkWebhook: 'public',
  mailgunWebhook: 'public',
  resendWebhook: 'public',
  traces: 'viewer',
  trace: 'viewer',
  calibration: 'viewer',
  segments: 'viewer',
  recommendations: 'viewer',
  me: 'viewer',
  usage: 'viewer',
  usageSeries: 'viewer',
  searchTraces: 'admin, live',
  ownKeys: 'admin, live',
  createOwnKey: 'admin, live',
  changeOwnKey: 'admin, live',
  revokeOwnKey: 'admin, live',
  rotateOwnKey: 'admin, live',
  ownOrganisation: 'viewer',
  changeOwnOrganisation: 'admin, live',
  deleteOwnOrganisation: 'admin, live, fresh',
  members: 'admin, live',
  changeMember: 'admin, live',
  removeMember: 'admin, live',
  leaveOrganisation: 'viewer, live',
  invitations: 'admin, live',
  createInvitation: 'admin, live',
  withdrawInvitation: 'admin, live',
  audit: 'admin, live',
  bootstrap: 'bootstrap',
  createOrganisation: 'operator',
  listOrganisations: 'operator',
  changeOrganisation: 'operator',
  deleteOrganisation: 'operator',
  rebuildOrganisation: 'operator',
  createKey: 'operator',
  listKeys: 'operator',
  revokeKey: 'operator',
  createConnection: 'operator',
  listConnections: 'operator',
  changeConnection: 'operator',
  deleteConnection: 'operator',
  createUser: 'operator',
  forget: 'operator',
  acceptSource: 'operator',
  status: 'operator',
};

const leastOf = ({ access, live, fresh }: RouteDeclaration): string =>
  [access, ...(live === true ? ['live'] : []), ...(fresh === true ? ['fresh'] : [])].join(', ');

describe('the least role of', () => {
  it.each(Object.entries(LEAST))('%s is %s', (id, least) => {
    expect(leastOf(ROUTES[id as RouteId])).toBe(least);
  });

  it('a message of an MCP session is that of a read', () => {
    expect(leastOf(MCP)).toBe('viewer');
  });

  it.each(TOOLS)('the tool $name is that of its route', (tool) => {
    expect(leastOf(toolRoute(tool))).toBe(LEAST[tool.route]);
  });
});
