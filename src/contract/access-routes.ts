import * as access from './access.ts';
import { BODY_LIMIT, Done } from './common.ts';
import type { RouteDeclaration } from './route.ts';

const CALL = { meter: null, rate: 'read' } as const;
const OWN = { ...CALL, access: 'admin', live: true } as const;

/** An account's own keys, people and settings. */
export const ACCESS_ROUTES = {
  ownKeys: {
    ...OWN,
    method: 'get',
    path: '/v1/keys',
    summary: 'The account’s keys, newest first, revoked ones too.',
    query: access.OwnKeyQuery,
    response: { status: 200, schema: access.OwnKeyList },
  },
  createOwnKey: {
    ...OWN,
    method: 'post',
    path: '/v1/keys',
    summary: 'Makes a key. Its secret is shown once.',
    body: {
      schema: access.CreateOwnKey,
      limitBytes: BODY_LIMIT.address,
      example: { name: 'Signup form', role: 'member' },
    },
    response: { status: 201, schema: access.OwnKeySecret },
  },
  changeOwnKey: {
    ...OWN,
    method: 'patch',
    path: '/v1/keys/:id',
    summary: 'Renames a key, or sets when it expires.',
    refuses: [409],
    params: access.IdParams,
    body: { schema: access.ChangeOwnKey, limitBytes: BODY_LIMIT.address, example: { name: 'Signup form, new' } },
    response: { status: 200, schema: access.OwnKeyResponse },
  },
  revokeOwnKey: {
    ...OWN,
    method: 'delete',
    path: '/v1/keys/:id',
    summary: 'Revokes a key: it is refused from the next request on.',
    refuses: [409],
    params: access.IdParams,
    response: { status: 200, schema: access.OwnKeyResponse },
  },
  rotateOwnKey: {
    ...OWN,
    method: 'post',
    path: '/v1/keys/:id/rotate',
    summary:
      'Gives a key a new secret, shown once; the one until now stays good for a while. Another person’s key is revoked instead, and a new one made.',
    refuses: [409],
    params: access.IdParams,
    body: { schema: access.RotateOwnKey, limitBytes: BODY_LIMIT.address, example: { overlap_s: 86_400 } },
    response: { status: 200, schema: access.OwnKeySecret },
  },
  ownOrganisation: {
    ...CALL,
    access: 'viewer',
    method: 'get',
    path: '/v1/organisation',
    summary: 'The account’s name and limits.',
    response: { status: 200, schema: access.OwnOrganisationResponse },
  },
  changeOwnOrganisation: {
    ...OWN,
    method: 'patch',
    path: '/v1/organisation',
    summary: 'Renames the account.',
    body: { schema: access.ChangeOwnOrganisation, limitBytes: BODY_LIMIT.address, example: { name: 'Acme' } },
    response: { status: 200, schema: access.OwnOrganisationResponse },
  },
  alerts: {
    ...CALL,
    access: 'viewer',
    method: 'get',
    path: '/v1/alerts',
    summary: 'Which mails go out when a quota or budget is 80 % used, and when all of it is; and who gets them.',
    response: { status: 200, schema: access.AlertsResponse },
  },
  putAlerts: {
    ...OWN,
    method: 'put',
    path: '/v1/alerts',
    summary: 'Switches alerts on or off, and chooses which members get them. What is left out stays.',
    body: {
      schema: access.PutAlerts,
      limitBytes: BODY_LIMIT.address,
      example: { alerts: [{ of: 'screenings', share: 80, enabled: false }], recipients: null },
    },
    response: { status: 200, schema: access.AlertsResponse },
  },
  deleteOwnOrganisation: {
    ...OWN,
    fresh: true,
    method: 'delete',
    path: '/v1/organisation',
    summary:
      'Deletes the account with all its data. Only for a person who has just signed in to the dashboard: no key can.',
    refuses: [400],
    response: { status: 200, schema: Done },
  },
  members: {
    ...OWN,
    method: 'get',
    path: '/v1/members',
    summary: 'The people of the account.',
    response: { status: 200, schema: access.MemberList },
  },
  changeMember: {
    ...OWN,
    method: 'patch',
    path: '/v1/members/:id',
    summary:
      'Gives a member another role. Their keys of a higher role are revoked; the last admin stays one. To make or unmake an admin needs a person who has just signed in to the dashboard.',
    refuses: [409],
    params: access.IdParams,
    body: { schema: access.ChangeMember, limitBytes: BODY_LIMIT.address, example: { role: 'viewer' } },
    response: { status: 200, schema: access.MemberResponse },
  },
  removeMember: {
    ...OWN,
    method: 'delete',
    path: '/v1/members/:id',
    summary:
      'Takes a membership away, and revokes every key of the person. The last admin can’t leave. An admin is removed only by a person who has just signed in to the dashboard, who for 24 hours as a new admin can’t remove older ones.',
    refuses: [409],
    params: access.IdParams,
    response: { status: 200, schema: Done },
  },
  leaveOrganisation: {
    ...CALL,
    access: 'viewer',
    live: true,
    method: 'delete',
    path: '/v1/membership',
    summary:
      'Ends the membership of the person whose key or session asks, and revokes every key of theirs. The last admin can’t leave.',
    refuses: [409],
    response: { status: 200, schema: Done },
  },
  invitations: {
    ...OWN,
    method: 'get',
    path: '/v1/invitations',
    summary: 'Who is invited and has not come yet.',
    response: { status: 200, schema: access.InvitationList },
  },
  createInvitation: {
    ...OWN,
    method: 'post',
    path: '/v1/invitations',
    summary:
      'Invites somebody by mail, for seven days. The person who signs in with the address may accept. An admin is invited only by a person who has just signed in to the dashboard.',
    refuses: [409],
    body: {
      schema: access.CreateInvitation,
      limitBytes: BODY_LIMIT.address,
      example: { email: 'grace@example.com', role: 'member' },
    },
    response: { status: 201, schema: access.InvitationResponse },
  },
  withdrawInvitation: {
    ...OWN,
    method: 'delete',
    path: '/v1/invitations/:id',
    summary: 'Withdraws an invitation.',
    params: access.IdParams,
    response: { status: 200, schema: Done },
  },
  audit: {
    ...OWN,
    method: 'get',
    path: '/v1/audit',
    summary: 'Who changed what in the last 400 days, newest first.',
    query: access.AuditQuery,
    response: { status: 200, schema: access.AuditLog },
  },
} as const satisfies Record<string, RouteDeclaration>;
