import { expect, it } from 'vitest';
import { captureLog } from '../support/capture-log.ts';
import { startService } from '../support/service.ts';

/** No server listens there. */
const service = await startService({
  DOH_URLS: 'http://127.0.0.1:9/secret-1/dns-query,http://127.0.0.1:9/secret-2/dns-query',
});

it('resolvers that can’t be reached are a line of the log, which names neither the address nor what is secret of them', async () => {
  const { keys } = await service.createOrganisation();
  const log = captureLog();
  for (const domain of ['one.example', 'two.example']) {
    const { status, body } = await service.call('POST', '/v1/check', keys.viewer, { email: `ada@${domain}` });
    expect([status, body.reasons]).toEqual([200, ['mx_unresolved']]);
  }
  const failures = log.filter((line) => line.includes('dependency_failed')).map((line) => JSON.parse(line));
  expect(failures).toEqual([
    {
      level: 'warn',
      event: 'dependency_failed',
      dependency: 'dns',
      resolver: '127.0.0.1:9',
      failure: 'unreachable',
      ms: expect.any(Number),
    },
  ]);
  expect(log.join()).not.toMatch(/ada|one\.example|two\.example|secret/);
});
