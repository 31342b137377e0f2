import { describe, expect, it } from 'vitest';
import { CSV_EXAMPLE } from '../../scripts/openapi/operation.ts';
import type { RouteDeclaration } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/contract/routes.ts';
import type { PersonClaims } from '../../src/domain/access/member-records.ts';
import { newId } from '../../src/kernel/ids.ts';
import { startService } from '../support/service.ts';

const service = await startService();

/** A word in every text and address of the other organisation. */
const MARK = 'xerxes';

async function serve(person: PersonClaims, { method, upload, body }: RouteDeclaration, path: string) {
  const example = body === undefined ? undefined : JSON.stringify(body.example);
  const sent = upload === undefined ? example : CSV_EXAMPLE;
  const request = new Request(`https://api.internal${path}`, {
    method: method.toUpperCase(),
    ...(sent !== undefined && { headers: { 'content-type': upload?.contentType ?? 'application/json' }, body: sent }),
  });
  const answer = await service.entrypoint().serve(person, request);
  return { status: answer.status, text: await answer.text() };
}

const read = async (person: PersonClaims, path: string) => {
  const answer = await service.entrypoint().serve(person, new Request(`https://api.internal${path}`));
  return answer.text();
};

/** An organisation with one record of each kind that has an id. */
async function createFull() {
  const { id } = await service.createOrganisation({ name: MARK });
  const boss = await service.addMember(id, 'admin');
  const member = await service.addMember(id, 'member');
  const make = async (method: string, path: string, body: object) =>
    (await service.call(method, `/v1/${path}`, boss, body)).body;
  const { key } = await make('POST', 'keys', { name: MARK, role: 'viewer' });
  const { invitation } = await make('POST', 'invitations', { email: `${MARK}@business.test`, role: 'viewer' });
  const { connection } = await make('POST', 'connections', { kind: 'resend', secret: 'whsec_ExampleOfASecret' });
  await make('PUT', `policies/${MARK}`, { name: MARK, rules: [], default: 'deny' });
  const { job } = await make('POST', 'bulk/jobs', { name: MARK });
  await make('POST', `bulk/jobs/${job.id}/paste`, { emails: [`${MARK}@business.test`] });
  const { trace_id: traceId } = await make('POST', 'verify', { email: `${MARK}@business.test` });
  const { trace_id: screeningId } = await make('POST', 'screen', { email: `${MARK}@business.test` });
  const { object } = service.objectOf(id);
  for (let isDrained = false; !isDrained;) isDrained = (await object.flush(null)).drained;
  return {
    id,
    boss,
    member,
    key,
    invitation,
    connection,
    job,
    traceId: traceId as string,
    screeningId: screeningId as string,
  };
}

const mine = await service.createOrganisation();
const ada = await service.addMember(mine.id, 'admin');
const theirs = await createFull();

/** Ids for a path's parameter, by the path's prefix: the other organisation's, and one that never existed. */
const IDS: Readonly<Record<string, readonly [id: string, missing: string]>> = {
  '/v1/keys/': [theirs.key.id, newId('key', 0)],
  '/v1/members/': [theirs.member.userId, newId('u', 0)],
  '/v1/invitations/': [theirs.invitation.id, newId('inv', 0)],
  '/v1/connections/': [theirs.connection.id, newId('con', 0)],
  '/v1/bulk/jobs/': [theirs.job.id, newId('bj', 0)],
  '/v1/screenings/': [theirs.screeningId, newId('sc', 0)],
  '/v1/traces/': [theirs.traceId, newId('vr', 0)],
  '/v1/policies/': [MARK, 'nothing'],
};
/** Ids that are the same for all. */
const SHARED = ['/v1/subprocessors/'];
/** The caller chooses a policy's slug: saving one of theirs creates one's own and leaves theirs alone. */
const MAKES = ['PUT /v1/policies/:slug'];

const NAMED = Object.values<RouteDeclaration>(ROUTES)
  .map((route) => ({ route, called: `${route.method.toUpperCase()} ${route.path}` }))
  .filter(({ route: { path, access } }) => path.startsWith('/v1/') && path.includes(':') && access !== 'public')
  .filter(({ route: { path }, called }) => !SHARED.some((start) => path.startsWith(start)) && !MAKES.includes(called));

const LISTS = [
  'keys',
  'members',
  'invitations',
  'connections',
  'policies',
  'bulk/jobs',
  'traces',
  'screenings',
  'organisation',
];

/** All that the other organisation's admin sees. */
const seen = () => Promise.all(LISTS.map((path) => read(theirs.boss, `/v1/${path}`)));

describe('an id of another organisation, at the dashboard’s entrypoint', () => {
  it.each(NAMED)('is answered as one that never was: $called', async ({ route }) => {
    const [start, [id, missing] = []] = Object.entries(IDS).find(([each]) => route.path.startsWith(each)) ?? [];
    expect(start, 'give the new kind of id a row above').toBeDefined();
    const before = await seen();
    const pathOf = (text: string) => route.path.replace(/:\w+/, text);
    const [answer, none] = [await serve(ada, route, pathOf(id ?? '')), await serve(ada, route, pathOf(missing ?? ''))];
    const told = (text: string) => text.replace(/"trace_id":"[^"]*"/, '').replaceAll(missing ?? '', id ?? '');
    expect([answer.status, told(answer.text)]).toEqual([404, told(none.text)]);
    expect(await seen()).toEqual(before);
  });

  it.each(MAKES)('names a thing of one’s own: %s', async () => {
    const before = await seen();
    const answer = await serve(ada, ROUTES.putPolicy, `/v1/policies/${MARK}`);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"version":1')]);
    expect(await seen()).toEqual(before);
  });

  it.each([
    `/v1/traces?key_id=${theirs.key.id}`,
    `/v1/traces?bulk_job_id=${theirs.job.id}`,
    `/v1/screenings?key_id=${theirs.key.id}`,
    `/v1/audit?actor=${theirs.boss.userId}`,
  ])('filters to nothing: %s', async (path) => {
    expect(JSON.parse(await read(ada, path))).toMatchObject({ cursor: null });
    expect(await read(ada, path)).not.toContain(MARK);
  });

  it.each([
    ['a policy to decide by', 'decide', { email: 'ada@business.test', policy_slug: `${MARK}-2` }],
    ['a policy of a list', 'bulk/jobs', { name: 'x', policy_slug: `${MARK}-2` }],
  ])('names nothing in a body: %s', async (_, path, body) => {
    await service.call('PUT', `/v1/policies/${MARK}-2`, theirs.boss, { name: MARK, rules: [], default: 'deny' });
    expect((await service.call('POST', `/v1/${path}`, ada, body)).status).toBe(404);
  });

  it('tells nothing of its verification by an outcome or an event', async () => {
    const before = await read(theirs.boss, `/v1/traces/${theirs.traceId}`);
    const at = Math.floor(Date.now() / 1000);
    await service.call('POST', '/v1/outcome', ada, { trace_id: theirs.traceId, outcome: 'hard_bounce' });
    await service.call('POST', '/v1/events', ada, { trace_id: theirs.traceId, event: 'churned', at });
    const { object } = service.objectOf(mine.id);
    for (let isDrained = false; !isDrained;) isDrained = (await object.flush(null)).drained;
    expect(await read(theirs.boss, `/v1/traces/${theirs.traceId}`)).toBe(before);
  });

  it('leads to no invitation: it is of its organisation, and for its address', async () => {
    const { invitation } = theirs;
    const person = { id: ada.userId, email: 'ada@business.test', name: null };
    expect(await service.entrypoint().acceptInvitation(person, theirs.id, invitation.id)).toBe(false);
    const invited = { id: newId('u', Date.now()), email: `${MARK}@business.test`, name: null };
    expect(await service.entrypoint().acceptInvitation(invited, mine.id, invitation.id)).toBe(false);
    expect(await read(ada, '/v1/members')).not.toContain(MARK);
    expect(await read(theirs.boss, '/v1/members')).not.toContain(ada.userId);
  });
});
