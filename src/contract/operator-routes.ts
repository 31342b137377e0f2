import { bodyOf, Done } from './common.ts';
import * as schemas from './operator.ts';
import { operator, type RouteDeclaration } from './route.ts';

/** For the people who run the service. Not part of `/v1`. */
export const OPERATOR_ROUTES = {
  bootstrap: {
    method: 'post',
    path: '/operator/v1/bootstrap',
    summary: 'Makes an operator key for the holder of the service secret.',
    access: 'bootstrap',
    meter: null,
    rate: 'read',
    response: { status: 201, schema: schemas.CreatedKey },
  },
  createOrganisation: {
    ...operator('post', '/operator/v1/organisations'),
    summary: 'Creates an organisation.',
    body: bodyOf(schemas.CreateOrganisation, 'address', { name: 'Acme' }),
    response: { status: 201, schema: schemas.OrganisationResponse },
  },
  listOrganisations: {
    ...operator('get', '/operator/v1/organisations'),
    summary: 'Every organisation, newest first.',
    query: schemas.OrganisationQuery,
    response: { status: 200, schema: schemas.OrganisationList },
  },
  changeOrganisation: {
    ...operator('patch', '/operator/v1/organisations/:id'),
    summary: 'Renames an organisation or changes its limits.',
    params: schemas.OrganisationParams,
    body: bodyOf(schemas.ChangeOrganisation, 'address', { verification_quota: 100_000 }),
    response: { status: 200, schema: schemas.OrganisationResponse },
  },
  deleteOrganisation: {
    ...operator('delete', '/operator/v1/organisations/:id'),
    summary: 'Deletes an organisation with its data, for good.',
    params: schemas.OrganisationParams,
    response: { status: 200, schema: Done },
  },
  rebuildOrganisation: {
    ...operator('post', '/operator/v1/organisations/:id/rebuild'),
    summary: 'Fills an organisation’s object again from its projection in Postgres.',
    params: schemas.OrganisationParams,
    response: { status: 200, schema: schemas.OrganisationResponse },
  },
  createKey: {
    ...operator('post', '/operator/v1/organisations/:id/keys'),
    summary: 'Creates a key; it is shown this once.',
    params: schemas.OrganisationParams,
    body: bodyOf(schemas.CreateKey, 'address', { name: 'signup backend', role: 'member' }),
    response: { status: 201, schema: schemas.CreatedKey },
  },
  listKeys: {
    ...operator('get', '/operator/v1/organisations/:id/keys'),
    summary: 'An organisation’s keys, revoked ones included, newest first.',
    params: schemas.OrganisationParams,
    response: { status: 200, schema: schemas.KeyList },
  },
  revokeKey: {
    ...operator('delete', '/operator/v1/organisations/:id/keys/:key_id'),
    summary: 'Revokes a key from the next request on.',
    params: schemas.KeyParams,
    response: { status: 200, schema: schemas.KeyResponse },
  },
  createConnection: {
    ...operator('post', '/operator/v1/organisations/:id/connections'),
    summary: 'Connects a payment processor, whose webhooks become events.',
    params: schemas.OrganisationParams,
    body: bodyOf(schemas.CreateConnection, 'address', { kind: 'stripe', webhook_secret: 'whsec_example_of_a_secret' }),
    response: { status: 201, schema: schemas.ConnectionResponse },
  },
  listConnections: {
    ...operator('get', '/operator/v1/organisations/:id/connections'),
    summary: 'An organisation’s payment processors, newest first.',
    params: schemas.OrganisationParams,
    response: { status: 200, schema: schemas.ConnectionList },
  },
  changeConnection: {
    ...operator('patch', '/operator/v1/organisations/:id/connections/:connection_id'),
    summary: 'Gives a connection a new secret; the one before stays good for an hour.',
    params: schemas.ConnectionParams,
    body: bodyOf(schemas.ChangeConnection, 'address', { webhook_secret: 'whsec_example_of_a_secret' }),
    response: { status: 200, schema: schemas.ConnectionResponse },
  },
  deleteConnection: {
    ...operator('delete', '/operator/v1/organisations/:id/connections/:connection_id'),
    summary: 'Disconnects a payment processor; its events stay.',
    params: schemas.ConnectionParams,
    response: { status: 200, schema: Done },
  },
  createUser: {
    ...operator('post', '/operator/v1/organisations/:id/users'),
    summary: 'Adds a user to an organisation.',
    params: schemas.OrganisationParams,
    body: bodyOf(schemas.CreateUser, 'address', { email: 'ada@example.com', name: 'Ada' }),
    response: { status: 201, schema: schemas.UserResponse },
  },
  forget: {
    ...operator('post', '/operator/v1/forget'),
    summary: 'Removes every link to an address, in all organisations.',
    body: bodyOf(schemas.ForgetRequest, 'address', { email: 'ada@example.com' }),
    response: { status: 200, schema: schemas.ForgetResponse },
  },
  acceptSource: {
    ...operator('post', '/operator/v1/lists/accept'),
    summary: 'Reads the disposable lists now, and accepts one source however much it has changed.',
    body: bodyOf(schemas.AcceptSource, 'address', { source: 'https://example.com/domains.txt' }),
    refuses: [404],
    response: { status: 200, schema: schemas.ListsResponse },
  },
  status: {
    ...operator('get', '/operator/v1/status'),
    summary: 'Outboxes, spend, crons and counters.',
    query: schemas.StatusQuery,
    response: { status: 200, schema: schemas.StatusResponse },
  },
} as const satisfies Readonly<Record<string, RouteDeclaration>>;
