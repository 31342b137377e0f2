import { Session } from 'node:inspector/promises';
import { describe, expect, it } from 'vitest';
import { startService } from '../support/service.ts';

const service = await startService();
const { keys } = await service.createOrganisation();
const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');

interface Reach {
  readonly files: number;
  readonly functions: number;
}

/** The files and functions of `src/` that run while `work` does, on an isolate that has done it before. */
async function reachOf(work: () => Promise<unknown>): Promise<Reach> {
  await work();
  await service.settle();
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  await inspector.post('Profiler.stopPreciseCoverage');
  const ran = result
    .filter(({ url }) => /\/src\/(?!.*node_modules)/.test(url) && !url.includes('/test/'))
    .map(({ url, functions }) => ({
      url,
      // The first of a file is its module as a whole.
      count: functions.filter(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0).length,
    }))
    .filter(({ count }) => count > 0);
  return { files: ran.length, functions: ran.reduce((sum, { count }) => sum + count, 0) };
}

const post = (path: string, body: object) => async () =>
  expect((await service.call('POST', path, keys.member, body)).status).toBeLessThan(300);
let calls = 0;
const reported = async () => {
  const { body } = await service.call('POST', '/v1/verify', keys.member, { email: `r${(calls += 1)}@business.test` });
  return post('/v1/outcome', { trace_id: body.trace_id, outcome: 'delivered' })();
};

describe('what a call runs of the service’s own code, once the isolate has done it before', () => {
  it.each<[name: string, work: () => Promise<unknown>, files: number]>([
    ['a check', post('/v1/check', { email: 'ada@business.test' }), 70],
    ['a verification', post('/v1/verify', { email: 'ada@business.test' }), 120],
    ['a decision', post('/v1/decide', { email: 'ada@business.test' }), 135],
    ['an outcome, with the verification before it', reported, 160],
  ])('%s stays a walk through few files', async (name, work, most) => {
    const { files, functions } = await reachOf(work);
    process.stdout.write(`${name}: ${files} files, ${functions} functions\n`);
    expect(files).toBeLessThanOrEqual(most);
  });
});
