import { describe, expect, it } from 'vitest';
import { PolicyList, PolicyResponse, Simulation } from '../../src/contract/policy.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy/document.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();
type Organisation = typeof mine;

const DRAFT = {
  name: 'Signup',
  rules: [{ id: 'free', when: { path: 'verification.email_type', op: 'eq', value: 'free' }, decision: 'deny' }],
  default: 'allow',
};

const put = (
  org: Organisation,
  slug: string,
  document: unknown,
  headers: Record<string, string> = {},
  key = org.keys.admin,
) => service.call('PUT', `/v1/policies/${slug}`, key, document, headers);
const get = (org: Organisation, path: string) => service.call('GET', `/v1/policies${path}`, org.keys.viewer);
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];

describe('the policy an organisation begins with', () => {
  it('is there, with its version as the tag', async () => {
    const { body, headers } = await get(mine, '/default');
    const { policy } = PolicyResponse.strict().parse(body);
    expect(policy).toMatchObject({ ...DEFAULT_POLICY, slug: 'default', version: 1, created_by: null });
    expect(headers.get('etag')).toBe('"1"');
  });
});

describe('saving a policy', () => {
  it('makes a new version each time, and every old one stays readable', async () => {
    const org = await service.createOrganisation();
    const { body: me } = await service.call('GET', '/v1/me', org.keys.admin);
    for (const version of [2, 3]) {
      const { status, body, headers } = await put(org, 'default', { ...DRAFT, name: `v${version}` });
      expect(status).toBe(200);
      const { policy } = PolicyResponse.strict().parse(body);
      expect(policy).toMatchObject({
        ...DRAFT,
        name: `v${version}`,
        slug: 'default',
        version,
        icp: null,
        created_by: me.key.id,
      });
      expect(headers.get('etag')).toBe(`"${version}"`);
      expect((await get(org, '/default')).body).toEqual(body);
    }
    expect((await get(org, '/default?version=1')).body.policy).toMatchObject({ name: DEFAULT_POLICY.name, version: 1 });
    const second = await get(org, '/default?version=2');
    expect([second.body.policy.name, second.headers.get('etag')]).toEqual(['v2', '"2"']);
    expect(codeOf(await get(org, '/default?version=4'))).toEqual([404, 'not_found']);
    for (const version of ['0', '01', '0x1', '1e0', '%201', '1.5', 'x', ''])
      expect(codeOf(await get(org, `/default?version=${version}`))).toEqual([400, 'invalid_request']);
  });

  it('makes no new version of one that is in force already', async () => {
    const org = await service.createOrganisation();
    const first = (await put(org, 'signup', DRAFT)).body;
    expect((await put(org, 'signup', DRAFT)).body).toEqual(first);
    expect(first.policy.version).toBe(1);
  });

  it.each([
    ['"1"', 200],
    ['"7", "1"', 200],
    ['*', 200],
    ['"2"', 412],
    ['W/"1"', 412],
    ['1', 412],
    ['""', 412],
    ['"01"', 412],
  ])('with If-Match %s over version 1: %i', async (tag, status) => {
    const org = await service.createOrganisation();
    const answer = await put(org, 'default', DRAFT, { 'if-match': tag });
    expect(answer.status).toBe(status);
    if (status === 412)
      expect(answer.body.error).toMatchObject({
        code: 'version_conflict',
        message: expect.stringContaining('send `If-Match: "1"`'),
      });
    expect((await get(org, '/default')).body.policy.version).toBe(status === 412 ? 1 : 2);
  });

  it('is 412 with If-Match where the policy is new, and for one of two that saw the same version', async () => {
    const org = await service.createOrganisation();
    for (const tag of ['*', '"1"'])
      expect(codeOf(await put(org, 'new', DRAFT, { 'if-match': tag }))).toEqual([412, 'version_conflict']);
    const both = ['a', 'b'].map((name) => put(org, 'default', { ...DRAFT, name }, { 'if-match': '"1"' }));
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual(expect.arrayContaining([200, 412]));
  });

  it.each([
    ['no object', [], /^The policy must be an object/],
    ['nothing', {}, /`name` is required; `rules` is required; `default` is required/],
    ['__proto__', `{"name":"x","rules":[],"default":"allow","__proto__":{"a":1}}`, /`__proto__`|unknown member/],
    [
      'a path that can’t exist',
      {
        ...DRAFT,
        rules: [
          ...DRAFT.rules,
          { id: 'b', when: { all: [{ path: 'verification.nothing', op: 'eq', value: 1 }] }, decision: 'deny' },
        ],
      },
      /`rules\[1\].when.all\[0\].path` must be one of verification.email, /,
    ],
    ['an address in it', { ...DRAFT, name: 'for grace@example.com' }, /`name` must not contain/],
  ])('of %s is refused by its place, without its values', async (_, document, message) => {
    const answer = await put(mine, 'bad', document);
    expect(codeOf(answer)).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toMatch(message);
    expect(answer.body.error.message).not.toContain('grace');
    expect((await get(mine, '/bad')).status).toBe(404);
  });

  it('is 413 at 1 MB, and 400 for an invalid name', async () => {
    expect(codeOf(await put(mine, 'big', { ...DRAFT, name: 'x'.repeat(2 ** 20) }))).toEqual([413, 'invalid_request']);
    for (const slug of ['Upper', '-x', 'a'.repeat(65), 'a%20b', 'a.b'])
      expect(codeOf(await put(mine, slug, DRAFT)), slug).toEqual([400, 'invalid_request']);
  });

  it('beyond 100 policies is refused; new versions are not', async () => {
    const org = await service.createOrganisation();
    for (let i = 1; i < 100; i += 1) expect((await put(org, `p${i}`, DRAFT)).status).toBe(200);
    expect(codeOf(await put(org, 'p100', DRAFT))).toEqual([400, 'invalid_request']);
    expect((await put(org, 'p1', { ...DRAFT, name: 'again' })).body.policy.version).toBe(2);
  });
});

describe('the list of policies', () => {
  it('has the newest version of each, the newest policy first, page by page, unmoved by changes', async () => {
    const org = await service.createOrganisation();
    for (const slug of ['a', 'b', 'c']) await put(org, slug, DRAFT);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await get(org, `?limit=1${cursor && `&cursor=${cursor}`}`);
      const page = PolicyList.strict().parse(body);
      seen.push(...page.policies.map(({ slug, version }) => `${slug} ${version}`));
      await put(org, 'a', { ...DRAFT, name: `after ${seen.length}` });
      cursor = page.cursor;
    }
    expect(seen).toEqual(['c 1', 'b 1', 'a 3', 'default 1']);
  });

  it.each(['nothing', '%00', 'x'.repeat(300)])('refuses a cursor that is none: %s', async (cursor) => {
    expect(codeOf(await get(mine, `?cursor=${cursor}`))).toEqual([400, 'invalid_request']);
  });

  it('shows no other organisation’s', async () => {
    const other = await service.createOrganisation();
    await put(other, 'theirs', DRAFT);
    expect(codeOf(await get(mine, '/theirs'))).toEqual([404, 'not_found']);
    expect((await get(mine, '?limit=200')).body.policies.map(({ slug }: { slug: string }) => slug)).not.toContain(
      'theirs',
    );
  });
});

describe('a simulation', () => {
  const simulate = (org: Organisation, slug: string, policy: unknown, key = org.keys.member) =>
    service.call('POST', `/v1/policies/${slug}/simulate`, key, { policy });

  it('runs a draft against what was decided, without a call to a vendor or a charge', async () => {
    const org = await service.createOrganisation();
    const decide = async (email: string, attributes: object = {}) =>
      (await service.call('POST', '/v1/decide', org.keys.member, { email, attributes })).body.trace_id as string;
    const changed = [await decide('ada.king@gmail.com'), await decide('bob.king@gmail.com', { plan: 'team' })];
    await decide('a@google-workspace.test');
    await decide('a@mailinator.com');
    await service.call('POST', '/v1/verify', org.keys.member, { email: 'cora.king@gmail.com' });
    await service.call('POST', '/v1/decide', org.keys.test, { email: 'dora.king@gmail.com' });
    const before = (await service.call('GET', '/v1/usage', org.keys.viewer)).body;
    const { status, body } = await simulate(org, 'default', DRAFT);
    expect(status).toBe(200);
    const simulation = Simulation.strict().parse(body);
    expect({ ...simulation, sample_trace_ids: simulation.sample_trace_ids.sort() }).toMatchObject({
      window_days: 90,
      complete: true,
      traces: 5,
      undetermined: 0,
      counts: { allow: 2, allow_with_flow: 0, review: 0, challenge: 0, deny: 3 },
      changed: expect.arrayContaining([
        { from: 'allow', to: 'deny', count: 2 },
        { from: 'deny', to: 'allow', count: 1 },
      ]),
      sample_trace_ids: expect.arrayContaining(changed),
    });
    expect((await service.call('GET', '/v1/usage', org.keys.viewer)).body).toEqual(before);

    const byPlan = {
      ...DRAFT,
      rules: [{ id: 'p', when: { path: 'attributes.plan', op: 'eq', value: 'team' }, decision: 'review' }],
    };
    expect((await simulate(org, 'default', byPlan)).body.counts).toMatchObject({ review: 1, allow: 4 });
    const screened = {
      ...DRAFT,
      rules: [{ id: 's', when: { path: 'screening.placeholder', op: 'eq', value: true }, decision: 'deny' }],
    };
    await service.call('POST', '/v1/events', org.keys.member, {
      events: ['subscribed', 'subscribed', 'activated'].map((event) => ({
        trace_id: changed[0],
        event,
        at: Math.floor(Date.now() / 1_000),
      })),
    });
    expect((await simulate(org, 'default', DRAFT)).body.denied).toEqual({
      traces: 3,
      with_events: 1,
      events: { subscribed: 1, activated: 1 },
    });
    expect((await simulate(org, 'default', screened)).body).toMatchObject({ undetermined: 5, changed: [] });
    expect((await simulate(org, 'default', DRAFT, org.keys.test)).body).toMatchObject({ traces: 1 });
  });

  it('reads only traces that the key may', async () => {
    const org = await service.createOrganisation();
    await service.call('POST', '/v1/decide', org.keys.member, { email: 'ada.king@gmail.com' });
    const { key } = await org.createKey({ role: 'member', origin: 'manual' });
    expect((await simulate(org, 'default', DRAFT, key)).body.traces).toBe(0);
    await service.call('POST', '/v1/decide', key, { email: 'bob.king@gmail.com' });
    expect((await simulate(org, 'default', DRAFT, key)).body.traces).toBe(1);
    expect((await simulate(org, 'default', DRAFT)).body.traces).toBe(2);
  });

  it('is refused for a bad draft, or for a policy that does not exist', async () => {
    const bad = await simulate(mine, 'default', { ...DRAFT, rules: [{ ...DRAFT.rules[0], decision: 'perhaps' }] });
    expect(codeOf(bad)).toEqual([400, 'invalid_request']);
    expect(bad.body.error.message).toMatch(/`policy.rules\[0\].decision` must be one of/);
    expect((await simulate(mine, 'default', undefined)).body.error.message).toMatch(/`policy`/);
    expect(codeOf(await simulate(mine, 'nowhere', DRAFT))).toEqual([404, 'not_found']);
    expect(codeOf(await simulate(mine, 'default', DRAFT, mine.keys.viewer))).toEqual([403, 'forbidden']);
    for (const window_days of [0, 366, 1.5, '7'])
      expect(
        codeOf(
          await service.call('POST', '/v1/policies/default/simulate', mine.keys.member, { policy: DRAFT, window_days }),
        ),
      ).toEqual([400, 'invalid_request']);
  });
});

describe('a rebuild', () => {
  it('brings every version back, which then decides', async () => {
    const org = await service.createOrganisation();
    await put(org, 'default', { ...DRAFT, default: 'review' });
    await put(org, 'partners', DRAFT);
    await service.call('GET', '/v1/traces', org.keys.viewer);
    service.loseObject(org.id);
    await service.call('POST', `/operator/v1/organisations/${org.id}/rebuild`, service.operatorKey);
    expect((await get(org, '')).body.policies).toMatchObject([
      { slug: 'partners', version: 1 },
      { slug: 'default', version: 2, default: 'review' },
    ]);
    expect((await get(org, '/default?version=1')).body.policy.rules).toEqual(DEFAULT_POLICY.rules);
    const { body } = await service.call('POST', '/v1/decide', org.keys.member, { email: 'a@google-workspace.test' });
    expect(body).toMatchObject({ decision: 'review', policy: { slug: 'default', version: 2 } });
  });
});
