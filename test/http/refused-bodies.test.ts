import { describe, expect, it } from 'vitest';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();
const { job } = (await service.call('POST', '/v1/bulk/jobs', mine.keys.member, {})).body;

const JSON_TYPE = 'application/json';
const REFUSED: [title: string, method: string, path: string, key: string, type: string, status: number][] = [
  ['an invalid key', 'POST', '/v1/verify', 'evk_live_wrong', JSON_TYPE, 401],
  ['an unknown path', 'POST', '/v1/nothing', mine.keys.member, JSON_TYPE, 404],
  ['a method that the path does not take', 'PUT', '/v1/verify', mine.keys.member, JSON_TYPE, 405],
  ['more than the route takes', 'POST', '/v1/verify', mine.keys.member, JSON_TYPE, 413],
  ['another content type', 'POST', '/v1/verify', mine.keys.member, 'text/plain', 400],
  ['an upload by a viewer', 'PUT', `/v1/bulk/jobs/${job.id}/upload`, mine.keys.viewer, 'text/csv', 403],
  ['an upload to an unknown job', 'PUT', '/v1/bulk/jobs/bj_1/upload', mine.keys.member, 'text/csv', 404],
  ['a file over 50 MB', 'PUT', `/v1/bulk/jobs/${job.id}/upload`, mine.keys.member, 'text/csv', 413],
];

/** Larger than a connection's buffers; for an upload, larger than the limit. */
const MEGABYTES = 52;

describe('a refused request is answered when all of it has come', () => {
  it.each(REFUSED)('%s', async (_, method, path, key, type, status) => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent === MEGABYTES) return controller.close();
        sent += 1;
        return controller.enqueue(new Uint8Array(2 ** 20).fill(97));
      },
    });
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    const init = { method, body, duplex: 'half', headers };
    const response = await service.request(path, init);
    expect([response.status, sent]).toEqual([status, MEGABYTES]);
  });
});
