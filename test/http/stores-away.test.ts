import { describe, expect, it, onTestFinished } from 'vitest';
import { startService } from '../support/service.ts';

const service = await startService();
service.faults.delayMs = 0;
const { env } = service;

/** From now on, until the test ends, this method of a binding fails. */
function breakBinding(binding: 'FACTS' | 'BULK_FILES', method: string): () => void {
  const methods = env[binding] as unknown as Record<string, unknown>;
  const { [method]: whole } = methods;
  const mend = (): void => void (methods[method] = whole);
  methods[method] = async () => {
    throw new Error(`${method}: We encountered an internal error. Please try again. (10001)`);
  };
  onTestFinished(mend);
  return mend;
}

const AWAY = { status: 503, body: { error: { code: 'dependency_unavailable' } } };

describe('a store that is away is an outage and no bug', () => {
  it.each([
    ['FACTS', 'delete'],
    ['BULK_FILES', 'list'],
  ] as const)('%s.%s while an organisation is deleted, which a repeat then finishes', async (binding, method) => {
    const { id, keys } = await service.createOrganisation();
    await service.call('POST', '/v1/verify', keys.member, { email: 'ada@business.test' });
    await service.runNight(id);
    const mend = breakBinding(binding, method);
    const remove = () => service.call('DELETE', `/operator/v1/organisations/${id}`, service.operatorKey);
    expect(await remove()).toMatchObject(AWAY);
    mend();
    expect(await remove()).toMatchObject({ status: 200 });
  });

  it('BULK_FILES.put while a file arrives', async () => {
    const { keys } = await service.createOrganisation();
    const { job } = (await service.call('POST', '/v1/bulk/jobs', keys.member, { filename: 'a.csv' })).body;
    breakBinding('BULK_FILES', 'put');
    const body = 'email\nada@business.test\n';
    const response = await service.request(`/v1/bulk/jobs/${job.id}/upload`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${keys.member}`,
        'content-type': 'text/csv',
        'content-length': String(body.length),
      },
      body,
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject(AWAY);
  });
});
