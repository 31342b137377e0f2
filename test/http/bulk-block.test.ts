import { expect, it } from 'vitest';
import { RULES_MAX } from '../../src/domain/rules/rules.ts';
import { bulkCalls } from '../support/bulk-calls.ts';
import { startService } from '../support/service.ts';

const service = await startService();

it('a segment that does not fit the account’s rules is not blocked', async () => {
  const organisation = await service.createOrganisation();
  const jobs = bulkCalls(service, organisation);
  const id = await jobs.ready('email\na@nxdomain.test\nb@nxdomain.test\n');
  await jobs.start(id);
  await jobs.run();
  const rules = (count: number, from: number) => ({
    emails: Array.from({ length: count }, (_, i) => `a${from + i}@business.test`),
  });
  const add = (body: object) => service.call('POST', '/v1/addresses/allowlist', organisation.keys.member, body);
  for (let from = 0; from < 9_000; from += 1_000) await add(rules(1_000, from));
  await add(rules(999, 9_000));
  const block = () => jobs.call('POST', `/${id}/block`, { segment: 'undeliverable' });
  expect(await block()).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  const list = () => service.call('GET', '/v1/addresses/blocklist', organisation.keys.viewer);
  expect((await list()).body).toMatchObject({ entries: [], count: 0 });
  await service.call('DELETE', '/v1/addresses/allowlist', organisation.keys.member, rules(1, 0));
  expect((await block()).body).toMatchObject({ added: 2, moved: 0, total: 2 });
});

it('an address that can’t be a rule does not count against the cap', async () => {
  const jobs = bulkCalls(service, await service.createOrganisation());
  const broken = Array.from({ length: RULES_MAX + 1 }, (_, i) => `a..${i}@business.test`);
  const id = await jobs.ready(`email\ngone@nxdomain.test\n${broken.join('\n')}\n`);
  await jobs.start(id);
  await jobs.run();
  expect(await jobs.job(id)).toMatchObject({ state: 'done', counts: { invalid: RULES_MAX + 2 } });
  const blocked = await jobs.call('POST', `/${id}/block`, { segment: 'undeliverable' });
  expect(blocked).toMatchObject({ status: 200, body: { added: 1, total: 1 } });
});

it('says how many a rule on their domain refused already, and gives them a rule of their own', async () => {
  const organisation = await service.createOrganisation();
  const domains = { domains: ['blocked.test'] };
  await service.call('POST', '/v1/domains/blocklist', organisation.keys.member, domains);
  const jobs = bulkCalls(service, organisation);
  const id = await jobs.ready('email\nada@blocked.test\nbob@blocked.test\ngone@nxdomain.test\n');
  await jobs.start(id);
  await jobs.run();
  const blocked = await jobs.call('POST', `/${id}/block`, { segment: 'undeliverable' });
  expect(blocked).toMatchObject({ status: 200, body: { added: 3, unchanged: 0, domain_blocked: 2 } });
});
