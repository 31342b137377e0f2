import { expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { call, createOrganisation } from '../support/worker.ts';

it('policies live with the organisation: saved, listed in pages and in force for the next decision', async () => {
  const org = await createOrganisation();
  const put = (slug: string, decision: string) => {
    const document = JSON.stringify({ name: slug, rules: [], default: decision, icp: null });
    const change = {
      operationId: newId('rq', Date.now()),
      slug,
      document,
      author: { actor: 'u_1' as const },
      expected: null,
    };
    return org.object.putPolicy({ ...change });
  };
  await put('a', 'review');
  await put('default', 'deny');
  const pages: string[] = [];
  for (let before: string | null = null; ;) {
    const page = await org.object.listPolicies({ limit: 1, before });
    pages.push(...(page?.policies ?? []).map(({ slug, version }) => `${slug} ${version}`));
    if (page === null || page.isLast) break;
    before = page.policies.at(-1)?.slug ?? null;
  }
  expect(pages).toEqual(['a 1', 'default 2']);

  const decide = async (body: object) => (await call('POST', '/v1/decide', org.key, body)).body;
  const decided = await decide({ email: 'ada@business.test' });
  expect(decided).toMatchObject({ decision: 'deny', policy: { slug: 'default', version: 2 } });
  expect(await decide({ email: 'ada@business.test', policy_slug: 'a' })).toMatchObject({ decision: 'review' });

  const draft = { name: 'd', rules: [], default: 'allow' };
  const { body } = await call('POST', '/v1/policies/default/simulate', org.key, { policy: draft });
  expect(body).toMatchObject({ traces: 2, counts: { allow: 2 } });
  for (const id of [decided.trace_id, decided.verification.trace_id])
    expect((await call('GET', `/v1/traces/${id}`, org.key)).body.trace.trace_id).toBe(decided.trace_id);
});

it('requests side by side never reserve more of the enrichment budget than there is', async () => {
  const org = await createOrganisation({ enrichment_budget_usd: 0.00003 });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      org.object.reserve({ budget: 'enrichment', requestId: `dc_${i}`, totalMicros: 10 }),
    ),
  );
  expect(answers.filter((granted) => granted)).toHaveLength(3);
  expect((await org.usage()).enrichmentMicros).toBe(30);
});
