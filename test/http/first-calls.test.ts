import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FIRST_CALLS, LIVE_CALLS, SANDBOX_CALLS } from '../../scripts/stack/first-calls.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();

it.each([
  ...LIVE_CALLS.map((call) => ({ ...call, key: mine.keys.member })),
  ...SANDBOX_CALLS.map((call) => ({ ...call, key: mine.keys.test })),
])('the first call for $email answers what stands beside it', async ({ email, shows, key }) => {
  const { body } = await service.call('POST', '/v1/verify', key, { email });
  const answer = JSON.stringify(body);
  for (const part of shows) expect(answer).toContain(part);
});

it('README.md shows these calls', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  expect(readme).toContain(FIRST_CALLS.join('\n'));
});
