import { describe, expect, it } from 'vitest';
import { bulkCalls } from '../support/bulk-calls.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const client = async () => bulkCalls(service, await service.createOrganisation());

describe('a file', () => {
  it('is made of pasted addresses', async () => {
    const jobs = await client();
    const id = await jobs.create();
    const { body } = await jobs.call('POST', `/${id}/paste`, { emails: ['a@business.test', 'A@business.test', 'x'] });
    expect(body.job).toMatchObject({ state: 'ready', columns: ['email'], rows: 3, unique: 1, invalid: 1 });
  });

  it('of pasted addresses contains no formula for a spreadsheet to run, and each is checked as pasted', async () => {
    const jobs = await client();
    const id = await jobs.create();
    const emails = ['=1+1@business.test', '+a@business.test', '=cmd|calc', 'b@business.test'];
    await jobs.call('POST', `/${id}/paste`, { emails });
    // A second reading gives the same result.
    expect((await jobs.call('PATCH', `/${id}`, { email_column: 0 })).body.job).toMatchObject({ unique: 3, invalid: 1 });
    await jobs.start(id);
    await jobs.run();
    const text = await (await jobs.download(id)).text();
    const cells = text.split('\n').map((line) => line.split(',')[0]);
    expect(cells).toEqual(['email', ...emails.map((email, i) => `"${i < 3 ? "'" : ''}${email}"`), '']);
    const [checked = ''] = jobs.files(id).filter((key) => key.endsWith('addresses.bin'));
    const addresses = JSON.stringify(emails.filter((email) => email.includes('@')));
    expect(new TextDecoder().decode(service.files.bytes(checked))).toContain(addresses);
  });

  it('is not made of pasted addresses when one holds a NUL: the job still waits for its file', async () => {
    const jobs = await client();
    const id = await jobs.create();
    const { status, body } = await jobs.call('POST', `/${id}/paste`, {
      emails: ['a@business.test', 'b\0@business.test'],
    });
    expect({ status, error: body.error }).toMatchObject({
      status: 400,
      error: { code: 'invalid_request', message: '`emails[1]` must not contain a NUL.' },
    });
    expect((await jobs.job(id)).state).toBe('uploading');
    expect(jobs.files(id)).toEqual([]);
  });
});
