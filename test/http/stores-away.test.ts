import { describe, expect, it, onTestFinished } from 'vitest';
import { startService } from '../support/service.ts';

// An estimate reads the file only where a provider could be asked.
const service = await startService({
  KICKBOX_API_KEY: 'key',
  KICKBOX_BASE_URL: 'http://127.0.0.1:9',
  KICKBOX_COST_USD: '0.004',
});
service.faults.delayMs = 0;
const { env } = service;

/** Makes a method of a binding fail until the test ends, or until the returned function is called. */
function breakBinding(binding: 'BULK_FILES', method: string): () => void {
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
  it('BULK_FILES.list while an organisation is deleted, which a repeat then finishes', async () => {
    const { id, keys } = await service.createOrganisation();
    await service.call('POST', '/v1/verify', keys.member, { email: 'ada@business.test' });
    await service.runNight(id);
    const mend = breakBinding('BULK_FILES', 'list');
    const remove = () => service.call('DELETE', `/operator/v1/organisations/${id}`, service.operatorKey);
    expect(await remove()).toMatchObject(AWAY);
    mend();
    expect(await remove()).toMatchObject({ status: 200 });
  });

  /** A job that has read its file. */
  async function stored() {
    const { id, keys } = await service.createOrganisation();
    const { job } = (await service.call('POST', '/v1/bulk/jobs', keys.member, {})).body;
    const body = { emails: ['x@nxdomain.test', 'y@nxdomain.test'] };
    expect((await service.call('POST', `/v1/bulk/jobs/${job.id}/paste`, keys.member, body)).status).toBe(200);
    const call = (method: string, path: string, sent?: object) =>
      service.call(method, `/v1/bulk/jobs/${job.id}/${path}`, keys.member, sent);
    return { id, call };
  }
  const STORED: Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | null>> = {
    missing: () => null,
    'cut off': (bytes) => bytes.slice(0, Math.floor(bytes.length / 2)),
    'of other bytes': (bytes) => bytes.map(() => 0x3c),
  };

  it.each(
    Object.keys(STORED).flatMap((how) => [
      [how, 'GET', 'preview'] as const,
      [how, 'GET', 'estimate'] as const,
      [how, 'GET', 'results.csv'] as const,
    ]),
  )('a stored file that is %s: %s %s', async (how, method, path) => {
    const { id, call } = await stored();
    if (path === 'results.csv') {
      expect((await call('POST', 'start', {})).status).toBe(202);
      await service.runJobs(id);
    }
    const files = service.env.BULK_FILES;
    const { get } = files;
    onTestFinished(() => void Object.assign(files, { get }));
    files.get = async (key, options) => {
      const found = await get(key, options);
      const bytes = found && STORED[how]?.(new Uint8Array(await found.arrayBuffer()));
      if (!bytes) return null;
      return { size: bytes.length, body: new Blob([bytes]).stream(), arrayBuffer: async () => bytes.buffer };
    };
    expect(await call(method, path)).toMatchObject(AWAY);
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
