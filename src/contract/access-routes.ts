import * as access from './access.ts';
import { bodyOf, Done } from './common.ts';
import { admin, type RouteDeclaration, viewer } from './route.ts';

/** An account's own keys, people and settings. */
export const ACCESS_ROUTES = {
  ownKeys: {
    ...admin('get', '/v1/keys'),
    summary: 'The account’s keys, newest first, revoked ones too.',
    query: access.OwnKeyQuery,
    response: { status: 200, schema: access.OwnKeyList },
  },
  createOwnKey: {
    ...admin('post', '/v1/keys'),
    summary: 'Makes a key. Its secret is shown once.',
    body: bodyOf(access.CreateOwnKey, 'address', { name: 'Signup form', role: 'member' }),
    response: { status: 201, schema: access.OwnKeySecret },
  },
  changeOwnKey: {
    ...admin('patch', '/v1/keys/:id'),
    summary: 'Renames a key, or sets when it expires.',
    refuses: [409],
    params: access.IdParams,
    body: bodyOf(access.ChangeOwnKey, 'address', { name: 'Signup form, new' }),
    response: { status: 200, schema: access.OwnKeyResponse },
  },
  revokeOwnKey: {
    ...admin('delete', '/v1/keys/:id'),
    summary: 'Revokes a key: it is refused from the next request on.',
    refuses: [409],
    params: access.IdParams,
    response: { status: 200, schema: access.OwnKeyResponse },
  },
  rotateOwnKey: {
    ...admin('post', '/v1/keys/:id/rotate'),
    summary:
      'Gives a key a new secret, shown once; the current one stays valid for a while. Another person’s key can’t be rotated: revoke it and make a new one.',
    refuses: [409],
    params: access.IdParams,
    body: bodyOf(access.RotateOwnKey, 'address', { overlap_s: 86_400 }),
    response: { status: 200, schema: access.OwnKeySecret },
  },
  ownOrganisation: {
    ...viewer('get', '/v1/organisation'),
    summary: 'The account’s name and limits.',
    response: { status: 200, schema: access.OwnOrganisationResponse },
  },
  changeOwnOrganisation: {
    ...admin('patch', '/v1/organisation'),
    summary: 'Renames the account.',
    body: bodyOf(access.ChangeOwnOrganisation, 'address', { name: 'Acme' }),
    response: { status: 200, schema: access.OwnOrganisationResponse },
  },
  alerts: {
    ...viewer('get', '/v1/alerts'),
    summary: 'Which alerts are mailed at 80 and 100 % of a quota or budget, and to whom.',
    response: { status: 200, schema: access.AlertsResponse },
  },
  putAlerts: {
    ...admin('put', '/v1/alerts'),
    summary: 'Switches alerts on or off, and chooses which members get them. Omitted fields stay.',
    body: bodyOf(access.PutAlerts, 'address', {
      alerts: [{ of: 'screenings', share: 80, enabled: false }],
      recipients: null,
    }),
    response: { status: 200, schema: access.AlertsResponse },
  },
  deleteOwnOrganisation: {
    ...admin('delete', '/v1/organisation'),
    fresh: true,
    summary:
      'Deletes the account with all its data. Only for a person who has just signed in to the dashboard: no key can.',
    refuses: [400],
    response: { status: 200, schema: Done },
  },
  members: {
    ...admin('get', '/v1/members'),
    summary: 'The people of the account.',
    response: { status: 200, schema: access.MemberList },
  },
  changeMember: {
    ...admin('patch', '/v1/members/:id'),
    summary:
      'Gives a member another role. Their keys of a higher role are revoked; the last admin stays one. To make or unmake an admin needs a person who has just signed in to the dashboard.',
    refuses: [409],
    params: access.IdParams,
    body: bodyOf(access.ChangeMember, 'address', { role: 'viewer' }),
    response: { status: 200, schema: access.MemberResponse },
  },
  removeMember: {
    ...admin('delete', '/v1/members/:id'),
    summary:
      'Takes a membership away, and revokes every key of the person. The last admin can’t leave. An admin is removed only by a person who has just signed in to the dashboard, who for 24 hours as a new admin can’t remove older ones.',
    refuses: [409],
    params: access.IdParams,
    response: { status: 200, schema: Done },
  },
  leaveOrganisation: {
    ...viewer('delete', '/v1/membership'),
    live: true,
    summary:
      'Ends the membership of the person whose key or session asks, and revokes every key of theirs. The last admin can’t leave.',
    refuses: [409],
    response: { status: 200, schema: Done },
  },
  invitations: {
    ...admin('get', '/v1/invitations'),
    summary: 'Open invitations.',
    response: { status: 200, schema: access.InvitationList },
  },
  createInvitation: {
    ...admin('post', '/v1/invitations'),
    summary:
      'Invites somebody by mail, for seven days. The person who signs in with the address may accept. An admin is invited only by a person who has just signed in to the dashboard.',
    refuses: [409],
    body: bodyOf(access.CreateInvitation, 'address', { email: 'grace@example.com', role: 'member' }),
    response: { status: 201, schema: access.InvitationResponse },
  },
  withdrawInvitation: {
    ...admin('delete', '/v1/invitations/:id'),
    summary: 'Withdraws an invitation.',
    params: access.IdParams,
    response: { status: 200, schema: Done },
  },
  audit: {
    ...admin('get', '/v1/audit'),
    summary: 'The audit log of the last 400 days, newest first.',
    query: access.AuditQuery,
    response: { status: 200, schema: access.AuditLog },
  },
} as const satisfies Record<string, RouteDeclaration>;
