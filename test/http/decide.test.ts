import { describe, expect, it } from 'vitest';
import { DecisionResult } from '../../src/contract/decision.ts';
import type { PolicyDocument } from '../../src/contract/policy.ts';
import { TraceList, TraceResponse } from '../../src/contract/traces.ts';
import { Verification } from '../../src/contract/verification.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();

async function decide(body: object, key = mine.keys.member, headers: Record<string, string> = {}) {
  const answer = await service.call('POST', '/v1/decide', key, body, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await service.settle();
  return DecisionResult.strict().parse(answer.body);
}

/** An organisation of the test's own whose policy `default` is this. */
async function createWith(policy: Partial<PolicyDocument>) {
  const org = await service.createOrganisation();
  await put(org, 'default', policy);
  return org;
}

const put = async (org: typeof mine, slug: string, policy: Partial<PolicyDocument>) => {
  const document = { name: 'A policy', rules: [], default: 'allow', ...policy };
  const { status, body } = await service.call('PUT', `/v1/policies/${slug}`, org.keys.admin, document);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.policy.version as number;
};

const usage = async (org: typeof mine) => (await service.call('GET', '/v1/usage', org.keys.viewer)).body;
const EVERYBODY = { path: 'verification.email', op: 'exists', value: true } as const;

describe('the default policy', () => {
  it.each([
    ['a business address', 'ada@google-workspace.test', 'allow', 'default'],
    ['a free mailbox', 'ada.lovelace@gmail.com', 'allow', 'free'],
    ['a disposable address', 'ada@mailinator.com', 'deny', 'disposable'],
    ['a relay alias', 'ada@privaterelay.appleid.com', 'allow', 'relay'],
    ['a role account', 'info@google-workspace.test', 'allow', 'role'],
    ['a domain without mail', 'ada@null-mx.test', 'deny', 'blocked'],
    ['broken syntax', 'ada', 'deny', 'blocked'],
  ])('decides about %s', async (_, email, decision, ruleId) => {
    const answer = await decide({ email });
    expect(answer).toMatchObject({
      decision,
      rule_id: ruleId,
      flow: null,
      experiment: null,
      company: null,
      person: null,
      policy: { slug: 'default', version: 1 },
      icp: { fit: 'unknown' },
      enrichment: { asked: false, cost_usd: 0, degraded: false },
      trace_id: expect.stringMatching(/^dc_/),
    });
    expect(answer).not.toHaveProperty('screening');
    expect(answer).not.toHaveProperty('explanation');
  });
});

describe('the verification inside', () => {
  it.each([
    'ada@google-workspace.test',
    'ada.lovelace@gmail.com',
    'ada@mailinator.com',
    'ada@null-mx.test',
    'broken',
    'ada@servfail.test',
  ])('is what /v1/verify answers about %s, under an id of its own', async (email) => {
    const { verification, trace_id } = await decide({ email });
    const context = { purpose: 'signup' };
    const { body } = await service.call('POST', '/v1/verify', mine.keys.member, { email, context });
    const own = { trace_id: 'vr_', latency_ms: 0 };
    expect({ ...verification, ...own }).toEqual({ ...Verification.strict().parse(body), ...own });
    expect(Object.keys(verification)).toEqual(Object.keys(body));
    expect(verification.trace_id).toMatch(/^vr_/);
    expect(trace_id).toMatch(/^dc_/);
  });

  it('is not changed by a rule of the policy', async () => {
    const when = { path: 'verification.email_type', op: 'eq', value: 'free' } as const;
    const org = await createWith({ rules: [{ id: 'no-free', when, decision: 'deny', description: 'No free mail.' }] });
    const answer = await decide({ email: 'ada.lovelace@gmail.com' }, org.keys.member);
    expect(answer).toMatchObject({
      decision: 'deny',
      rule_id: 'no-free',
      reason: 'No free mail.',
      policy: { version: 2 },
    });
    const { body } = await service.call('POST', '/v1/verify', org.keys.member, {
      email: 'ada.lovelace@gmail.com',
      context: { purpose: 'signup' },
    });
    expect(body.recommendation).toBe(answer.verification.recommendation);
  });

  it('takes the purpose the caller names, and is signup without one', async () => {
    const seen = async (context?: object) =>
      (
        await decide(
          { email: 'ada@google-workspace.test', ...(context && { context }), explain: true },
          org.keys.member,
        )
      ).explanation?.[0]?.conditions[0]?.actual;
    const org = await createWith({
      rules: [{ id: 'r', when: { path: 'context.purpose', op: 'eq', value: 'outbound' }, decision: 'review' }],
    });
    expect(await seen()).toBe('signup');
    expect(await seen({ purpose: 'list_hygiene', max_cost_usd: 0 })).toBe('list_hygiene');
  });
});

describe('the trace', () => {
  it('is one, found by the decision’s id and by the verification’s, with what was decided', async () => {
    const answer = await decide({ email: 'ada.lovelace@gmail.com', attributes: { plan: 'team', seats: 4 } });
    const read = async (id: string) =>
      TraceResponse.parse((await service.call('GET', `/v1/traces/${id}`, mine.keys.viewer)).body).trace;
    const trace = await read(answer.trace_id);
    expect(await read(answer.verification.trace_id)).toEqual(trace);
    expect(trace).toMatchObject({
      trace_id: answer.trace_id,
      verification_trace_id: answer.verification.trace_id,
      kind: 'decide',
      policy_decision: {
        decision: 'allow',
        rule_id: 'free',
        policy: { slug: 'default', version: 1 },
        experiment: null,
        attributes: { plan: 'team', seats: 4 },
      },
      context: { purpose: 'signup' },
      latency_ms: answer.latency_ms,
    });
    const listed = async (query: string) =>
      TraceList.parse((await service.call('GET', `/v1/traces${query}`, mine.keys.viewer)).body).traces.filter(
        ({ trace_id, verification_trace_id }) =>
          [trace_id, verification_trace_id].includes(answer.verification.trace_id) || trace_id === answer.trace_id,
      );
    expect(await listed('')).toHaveLength(1);
    expect(await listed('?scope=owner')).toMatchObject([
      { policy_decision: { decision: 'allow', rule_id: 'free', policy: { slug: 'default', version: 1 } } },
    ]);
    const search = { email: 'ada.lovelace@gmail.com', scope: 'owner' };
    const { traces } = (await service.call('POST', '/v1/traces/search', mine.keys.admin, search)).body;
    expect(traces.filter(({ trace_id: id }: { trace_id: string }) => id === answer.trace_id)).toEqual(
      await listed('?scope=owner'),
    );
    const verified = await service.call('POST', '/v1/verify', mine.keys.member, { email: 'ada.lovelace@gmail.com' });
    expect((await read(verified.body.trace_id)).policy_decision).toBeNull();
  });
});

describe('a policy by name', () => {
  it('decides when it is asked for, from the next request on, and the default one is left alone', async () => {
    const org = await service.createOrganisation();
    const email = 'ada@google-workspace.test';
    for (const [version, decision] of [
      [1, 'review'],
      [2, 'deny'],
    ] as const) {
      expect(await put(org, 'partners', { default: decision })).toBe(version);
      expect(await decide({ email, policy_slug: 'partners' }, org.keys.member)).toMatchObject({
        decision,
        rule_id: 'default',
        policy: { slug: 'partners', version },
      });
    }
    expect(await decide({ email }, org.keys.member)).toMatchObject({ policy: { slug: 'default', version: 1 } });
  });

  it('is 404 when the account does not have it, neither charged nor traced', async () => {
    const org = await service.createOrganisation();
    const other = await service.createOrganisation();
    await put(other, 'theirs', {});
    for (const slug of ['nowhere', 'theirs', '', '../default', '__proto__']) {
      const body = { email: 'ada.lovelace@gmail.com', policy_slug: slug };
      const answer = await service.call('POST', '/v1/decide', org.keys.member, body, { 'idempotency-key': 'k' });
      expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 404, code: 'not_found' });
    }
    expect((await usage(org)).calls.decide).toBe(0);
    expect((await service.call('GET', '/v1/traces', org.keys.viewer)).body.traces).toEqual([]);
  });

  it('decides in the one call to the object, without one to Postgres', async () => {
    const org = await createWith({});
    const trips = async () => {
      await service.settle();
      const before = service.calls.object;
      service.faults.down = true;
      await decide({ email: 'ada.lovelace@gmail.com' }, org.keys.member);
      service.faults.down = false;
      return service.calls.object - before;
    };
    expect([await trips(), await trips()]).toEqual([1, 1]);
    await put(org, 'default', { default: 'review' });
    expect([await trips(), await trips()]).toEqual([1, 1]);
  });

  it('is that of the account also after a rebuild that gave its number again', async () => {
    const org = await createWith({});
    // Has what the object holds written to Postgres.
    await service.call('GET', '/v1/traces', org.keys.viewer);
    service.faults.down = true;
    await put(org, 'default', { default: 'deny' });
    expect(await decide({ email: 'ada.lovelace@gmail.com' }, org.keys.member)).toMatchObject({
      decision: 'deny',
      policy: { version: 3 },
    });
    service.loseObject(org.id);
    service.faults.down = false;
    const rebuilt = await service.call('POST', `/operator/v1/organisations/${org.id}/rebuild`, service.operatorKey);
    expect(rebuilt.status).toBe(200);
    await put(org, 'default', { default: 'review' });
    await put(org, 'default', { default: 'challenge' });
    const versions = (await service.call('GET', '/v1/policies/default', org.keys.viewer)).body.policy;
    expect(await decide({ email: 'ada.lovelace@gmail.com' }, org.keys.member)).toMatchObject({
      decision: versions.default,
      policy: { version: versions.version },
    });
  });
});

describe('an explanation', () => {
  it('shows each rule up to the one that decided, with the value seen', async () => {
    const org = await createWith({
      rules: [
        { id: 'a', when: { path: 'verification.email_type', op: 'eq', value: 'relay' }, decision: 'deny' },
        {
          id: 'b',
          when: {
            any: [
              { path: 'attributes.plan', op: 'eq', value: 'team' },
              { not: { path: 'attributes.seats', op: 'gt', value: 9 } },
            ],
          },
          decision: 'allow_with_flow',
          flow: 'onboarding',
        },
        { id: 'c', when: EVERYBODY, decision: 'deny' },
      ],
    });
    const answer = await decide(
      { email: 'ada.lovelace@gmail.com', attributes: { seats: 3 }, explain: true },
      org.keys.member,
    );
    expect(answer).toMatchObject({ decision: 'allow_with_flow', rule_id: 'b', flow: 'onboarding' });
    expect(answer.explanation).toEqual([
      {
        rule_id: 'a',
        matched: false,
        conditions: [{ path: 'verification.email_type', op: 'eq', value: 'relay', actual: 'free', matched: false }],
      },
      {
        rule_id: 'b',
        matched: true,
        conditions: [
          { path: 'attributes.plan', op: 'eq', value: 'team', actual: null, matched: false },
          { path: 'attributes.seats', op: 'gt', value: 9, actual: 3, matched: false },
        ],
      },
    ]);
  });
});

describe('an experiment', () => {
  it('gives an address the same arm always, and both arms are recorded', async () => {
    const experiment = { id: 'e1', weight: 50, min_sample: 10 };
    const org = await createWith({ rules: [{ id: 'r', when: EVERYBODY, decision: 'review', experiment }] });
    const arms = new Set<string>();
    for (let i = 0; i < 24; i += 1) {
      const answer = await decide({ email: `a${i}@gmail.com` }, org.keys.member);
      const arm = answer.experiment?.arm ?? 'none';
      arms.add(arm);
      expect(answer).toMatchObject({
        experiment: { id: 'e1', arm },
        decision: arm === 'treatment' ? 'review' : 'allow',
        rule_id: arm === 'treatment' ? 'r' : 'default',
      });
      if (i % 6 === 0) {
        expect((await decide({ email: `A${i}@GMAIL.com` }, org.keys.member)).experiment).toEqual(answer.experiment);
        const { body } = await service.call('GET', `/v1/traces/${answer.trace_id}`, org.keys.viewer);
        expect(body.trace.policy_decision.experiment).toEqual(answer.experiment);
      }
    }
    expect([...arms].sort()).toEqual(['control', 'treatment']);
  });
});

describe('screening', () => {
  const READS = {
    id: 'typo',
    when: { path: 'screening.typo_suggestion', op: 'exists', value: true },
    decision: 'challenge',
  } as const;

  it('is done when a rule reads it, is not charged and gets no id of its own', async () => {
    const org = await createWith({ rules: [READS] });
    const answer = await decide({ email: 'ada.lovelace@gmial.com', name: 'Ada Lovelace' }, org.keys.member);
    expect(answer).toMatchObject({
      decision: 'challenge',
      screening: { typo_suggestion: 'ada.lovelace@gmail.com', name_match: 'match' },
    });
    expect(await usage(org)).toMatchObject({ calls: { decide: 1, screen: 0 }, screening: { used: 0 } });
    expect((await service.call('GET', '/v1/screenings', org.keys.viewer)).body.screenings).toEqual([]);
  });

  it('is left out when an earlier rule has decided', async () => {
    const org = await createWith({ rules: [{ id: 'all', when: EVERYBODY, decision: 'allow' }, READS] });
    expect(await decide({ email: 'ada@gmial.com' }, org.keys.member)).not.toHaveProperty('screening');
  });
});

describe('attributes', () => {
  it.each([
    ['an address', { referrer: 'grace@example.com' }, /`attributes.referrer` must not contain an e-mail address/],
    [
      'an object',
      { plan: { name: 'team' } },
      /`attributes.plan` must be text of up to 256 characters, a finite number/,
    ],
    ['a key of another form', { 'grace@example.com': 1 }, /`attributes` has a key \(no. 1 of 1\) that is not 1 to 64/],
  ])('with %s are refused by their key, without the value', async (_, attributes, message) => {
    const before = await usage(mine);
    const answer = await service.call('POST', '/v1/decide', mine.keys.member, {
      email: 'ada.lovelace@gmail.com',
      attributes,
    });
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(answer.body.error.message).toMatch(message);
    expect(answer.body.error.message).not.toContain('grace');
    expect(await usage(mine)).toEqual(before);
  });
});

describe('metering', () => {
  it('counts a decision as one verification', async () => {
    const org = await service.createOrganisation({ verification_quota: 2 });
    await decide({ email: 'ada.lovelace@gmail.com' }, org.keys.member);
    await decide({ email: 'ada.lovelace@gmail.com' }, org.keys.member);
    const refused = await service.call('POST', '/v1/decide', org.keys.member, { email: 'ada.lovelace@gmail.com' });
    expect({ status: refused.status, code: refused.body.error.code }).toEqual({ status: 402, code: 'quota_exceeded' });
    expect(await usage(org)).toMatchObject({ calls: { verify: 0, decide: 2 }, quota: { used: 2, remaining: 0 } });
  });

  it('a test key is charged nothing, and its traces stay apart', async () => {
    const org = await service.createOrganisation();
    const answer = await decide({ email: 'disposable@example.com' }, org.keys.test);
    expect(answer).toMatchObject({ decision: 'deny', rule_id: 'disposable' });
    expect((await usage(org)).calls.decide).toBe(0);
    expect((await service.call('GET', `/v1/traces/${answer.trace_id}`, org.keys.viewer)).status).toBe(404);
    const limited = await service.call('POST', '/v1/decide', org.keys.test, { email: 'quota-exceeded@example.com' });
    expect(limited.status).toBe(402);
  });
});

describe('under an Idempotency-Key', () => {
  const RULES: PolicyDocument['rules'] = [
    {
      id: 'typo',
      when: {
        all: [
          { path: 'verification.email', op: 'starts_with', value: 'ada.' },
          { path: 'screening.typo_suggestion', op: 'exists', value: true },
        ],
      },
      decision: 'challenge',
    },
  ];

  it('is charged once and answered alike, also after the policy changed, and no address is kept', async () => {
    const org = await createWith({ rules: RULES });
    const headers = { 'idempotency-key': 'signup-1' };
    const body = { email: 'ada.lovelace@gmial.com', name: 'Ada Lovelace', explain: true };
    const first = await decide(body, org.keys.member, headers);
    expect(first).toMatchObject({ decision: 'challenge', screening: { typo_suggestion: 'ada.lovelace@gmail.com' } });
    expect(first.explanation?.[0]?.conditions.map(({ actual }) => actual)).toEqual([
      'ada.lovelace@gmial.com',
      'ada.lovelace@gmail.com',
    ]);
    await put(org, 'default', { default: 'deny' });
    expect(await decide(body, org.keys.member, headers)).toEqual(first);
    expect((await usage(org)).calls.decide).toBe(1);
    const dump = service.objectOf(org.id).storage.sql.exec('select * from operation').toArray();
    expect(JSON.stringify(dump)).toContain(first.trace_id);
    expect(JSON.stringify(dump)).not.toMatch(/lovelace/i);
  });
});

describe('while the organisation’s object is out of reach', () => {
  it('the built-in policy decides, and says so', async () => {
    const org = await createWith({ default: 'deny' });
    service.breakObject(org.id);
    for (const slug of ['default', 'nowhere']) {
      const answer = await decide({ email: 'ada.lovelace@gmail.com', policy_slug: slug }, org.keys.member);
      expect(answer).toMatchObject({
        decision: 'allow',
        policy: { slug: 'default', version: 0 },
        verification: { degraded: true },
      });
    }
  });

  it('the version the isolate has last seen decides', async () => {
    const org = await createWith({ default: 'deny' });
    await decide({ email: 'ada.lovelace@gmail.com' }, org.keys.member);
    service.breakObject(org.id);
    const answer = await decide({ email: 'ada.lovelace@gmail.com' }, org.keys.member);
    expect(answer).toMatchObject({ decision: 'deny', policy: { slug: 'default', version: 2 } });
  });
});
