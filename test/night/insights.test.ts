import { describe, expect, it } from 'vitest';
import { Experiments, Recommendations, Segments } from '../../src/contract/insights.ts';
import { type Id, idToUuid, newId } from '../../src/kernel/ids.ts';
import { rollUpOrganisation } from '../../src/services/insights.ts';
import { connectDatabase } from '../../src/storage/postgres/client.ts';
import { createPartitions } from '../../src/storage/postgres/retention.ts';
import { traceRecord } from '../support/records.ts';
import { insertWorld, newEventId } from '../support/rollup-world.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const db = connectDatabase({ url: service.env.DATABASE_URL, httpUrl: service.env.DATABASE_HTTP_URL });
type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;

const get = (org: Organisation, path: string) => service.call('GET', `/v1${path}`, org.keys.viewer);

async function decide(org: Organisation, email: string): Promise<Id<'dc'>> {
  const { body } = await service.call('POST', '/v1/decide', org.keys.member, { email, attributes: { plan: 'team' } });
  return body.trace_id;
}

/** An event of now, as it is stored. */
async function happened(org: Organisation, event: string, traceId: Id<'dc'>): Promise<void> {
  const now = Date.now();
  await createPartitions(db, ['event'], [now]);
  const at = Math.floor(now / 1_000) * 1_000;
  await service.database.query(
    `insert into event (id, organisation_id, mode, source, event, at, created_at, trace_id)
     values ($1, $2, 'live', 'api', $3, ${at}, ${now}, $4)`,
    [idToUuid(newEventId(now)), org.id, event, idToUuid(traceId)],
  );
}

async function night(org: Organisation): Promise<void> {
  await service.call('GET', '/v1/traces', org.keys.viewer);
  const report = await rollUpOrganisation(db, org.id as Id<'org'>, Date.now(), 60_000);
  expect(report.done).toBe(true);
}

const POLICY = {
  name: 'Signup',
  rules: [
    {
      id: 'free',
      when: { path: 'verification.email_type', op: 'eq', value: 'free' },
      decision: 'review',
      experiment: { id: 'try', weight: 50, min_sample: 1, guardrails: ['support_ticket'] },
    },
  ],
  default: 'allow',
};

describe('before the first night', () => {
  it('nothing has been computed', async () => {
    const org = await service.createOrganisation();
    const { status, body } = await get(org, '/segments');
    expect(status).toBe(200);
    expect(Segments.strict().parse(body)).toEqual({
      metric: 'subscribed',
      window_days: 90,
      computed_at: null,
      segments: [],
      too_few: [],
      join: { exact: 0, by_email: 0, unmatched: 0 },
    });
    expect(Recommendations.strict().parse((await get(org, '/recommendations')).body)).toEqual({
      metric: 'subscribed',
      window_days: 90,
      computed_at: null,
      recommendations: [],
    });
    expect((await get(org, '/policies/default/experiments')).body).toEqual({ experiments: [], computed_at: null });
  });
});

describe('after a night', () => {
  it('segments and experiments show what was decided and what came of it', async () => {
    const org = await service.createOrganisation();
    await service.call('PUT', '/v1/policies/default', org.keys.admin, POLICY);
    const traces: Id<'dc'>[] = [];
    for (let i = 0; i < 32; i += 1) traces.push(await decide(org, `lena.k${i}@gmail.com`));
    await decide(org, 'lena.k0@gmail.com');
    await service.call('POST', '/v1/decide', org.keys.test, { email: 'somebody@gmail.com' });
    for (const trace of traces.slice(0, 8)) await happened(org, 'subscribed', trace);
    await happened(org, 'support_ticket', traces[0] as Id<'dc'>);
    await night(org);

    const { body } = await get(org, '/segments?window_days=1');
    const shown = Segments.strict().parse(body);
    expect(shown).toMatchObject({
      metric: 'subscribed',
      window_days: 1,
      join: { exact: 8, by_email: 0, unmatched: 0 },
    });
    expect(shown.computed_at).toBeGreaterThan(Date.now() / 1_000 - 60);
    expect(shown.segments).toContainEqual(
      expect.objectContaining({ key: { mailbox_type: 'consumer' }, exposures: 32, events: 8 }),
    );
    expect(shown.segments).toContainEqual(
      expect.objectContaining({ key: { 'attributes.plan': 'team' }, exposures: 32, events: 8 }),
    );
    expect(shown.too_few).toContainEqual({ key: { decision: 'review' }, exposures: expect.any(Number) });
    expect([...shown.segments, ...shown.too_few].flatMap(({ key }) => Object.keys(key))).not.toContain('experiment');

    const { experiments } = Experiments.strict().parse((await get(org, '/policies/default/experiments')).body);
    expect(experiments).toMatchObject([{ id: 'try', rule_id: 'free', weight: 50, min_sample: 1, ready: true }]);
    const sum = (arms: { exposures: number; events: number }[] = []) => [
      arms.reduce((total, { exposures }) => total + exposures, 0),
      arms.reduce((total, { events }) => total + events, 0),
    ];
    expect(sum(experiments[0]?.arms)).toEqual([32, 8]);
    expect(sum(experiments[0]?.guardrails[0]?.arms)).toEqual([32, 1]);
    expect((await get(org, '/recommendations?metric=churned')).body.recommendations).toEqual([]);

    const asTest = (path: string) => service.call('GET', `/v1${path}`, org.keys.test);
    expect((await asTest('/segments')).body).toMatchObject({ segments: [], too_few: [], computed_at: null });
    expect((await asTest('/segments')).body.join).toEqual({ exact: 0, by_email: 0, unmatched: 0 });
    expect((await asTest('/recommendations')).body).toMatchObject({ recommendations: [], computed_at: null });
    const { body: tried } = await asTest('/policies/default/experiments');
    expect(sum(tried.experiments[0]?.arms)).toEqual([0, 0]);
    expect(tried.computed_at).toBeNull();
  });

  it('a recommended rule goes into a policy as it is, and reviews its segment alone', async () => {
    const org = await service.createOrganisation();
    const organisationId = org.id as Id<'org'>;
    const now = Date.now();
    const plan = 'Team “B”\n<b>ignore the rest</b>';
    const traces = Array.from({ length: 600 }, (_, i) =>
      traceRecord({
        organisationId,
        id: newId('dc', now),
        kind: 'decide',
        createdAt: now,
        verificationId: newId('vr', now),
        addressHash: `${i}`.padStart(64, '0'),
        policyDecision: {
          decision: 'allow',
          rule_id: 'default',
          policy: { slug: 'default', version: 1 },
          experiment: null,
          icp: { fit: 'unknown' },
          attributes: { plan: i % 3 === 0 ? plan : 'solo' },
        },
      }),
    );
    const events = traces.flatMap(({ id }, i) =>
      i % 3 === 1
        ? [{ id: newEventId(now), event: 'subscribed', at: now, traceId: idToUuid(id), addressHash: null }]
        : [],
    );
    await insertWorld(db, organisationId, { traces, events });
    await night(org);
    const { recommendations } = Recommendations.strict().parse((await get(org, '/recommendations')).body);
    expect(recommendations).toMatchObject([
      { evidence: { segment: { 'attributes.plan': plan }, exposures: 200, events: 0, probability: 1 } },
    ]);
    expect(recommendations[0]?.says).toMatch(/^Where attributes\.plan is “[^“”<>\n]+”, 0 of 200 exposures /);
    const rules = recommendations.map(({ rule }) => rule);
    const saved = await service.call('PUT', '/v1/policies/default', org.keys.admin, {
      name: 'x',
      rules,
      default: 'allow',
    });
    expect(saved.status).toBe(200);
    const decision = async (of: string) => {
      const body = { email: 'lena.k@gmail.com', attributes: { plan: of } };
      return (await service.call('POST', '/v1/decide', org.keys.member, body)).body.decision;
    };
    expect([await decision(plan), await decision(plan.toUpperCase()), await decision('solo')]).toEqual([
      'review',
      'review',
      'allow',
    ]);
  });

  it('nothing is left of a deleted organisation', async () => {
    const org = await service.createOrganisation();
    await decide(org, 'lena.k@gmail.com');
    await night(org);
    await service.call('DELETE', `/operator/v1/organisations/${org.id}`, service.operatorKey);
    for (const table of ['rollup', 'exposure', 'segment_day', 'segment_total']) {
      const { rows } = await service.database.query(`select * from ${table} where organisation_id = $1`, [org.id]);
      expect(rows).toEqual([]);
    }
  });
});

describe('an invalid query', () => {
  it.each([
    'metric=bounced',
    'metric=custom:',
    'metric=custom:1a',
    'metric=custom:A',
    `metric=custom:${'a'.repeat(65)}`,
    'metric=',
    'window_days=0',
    'window_days=366',
    'window_days=1.5',
    'window_days=x',
    'window_days=',
  ])('is 400: %s', async (query) => {
    const org = await service.createOrganisation();
    for (const path of ['/segments', '/recommendations', '/policies/default/experiments']) {
      const { status, body } = await get(org, `${path}?${query}`);
      expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
    }
  });

  it.each(['metric=custom:a_1', 'window_days=1', 'window_days=365'])('but %s is fine', async (query) => {
    expect((await get(await service.createOrganisation(), `/segments?${query}`)).status).toBe(200);
  });

  it('experiments of a policy that is not there, or is another account’s, are 404', async () => {
    const other = await service.createOrganisation();
    await service.call('PUT', '/v1/policies/nowhere', other.keys.admin, POLICY);
    const { status, body } = await get(await service.createOrganisation(), '/policies/nowhere/experiments');
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  });
});
