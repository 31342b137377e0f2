import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { onPort } from '../support/on-port.ts';
import { runOperator } from '../support/operator-cli.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const organisation = await service.createOrganisation({ verification_quota: 5 });
let afterStart = async (): Promise<void> => undefined;
/** Its queue is at work as soon as a job starts. */
const baseUrl = await onPort(service.request, async (path) => {
  if (!path.endsWith('/start')) return;
  await service.runJobs(organisation.id);
  await afterStart();
});
const folder = mkdtempSync(join(tmpdir(), 'verify-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
function verifyFile(text: string, ...args: string[]) {
  writeFileSync(at('in.csv'), text);
  const env = {
    EMAIL_VERIFICATION_BASE_URL: baseUrl,
    EMAIL_VERIFICATION_API_KEY: organisation.keys.member,
  };
  return runOperator(['verify-file', at('in.csv'), at('out.csv'), ...args], env);
}

describe('operator verify-file', () => {
  it('writes the file back with a result on every row, and says what came of it', async () => {
    const { code, stdout } = await verifyFile('email\nada@business.test\nwho@nxdomain.test\n', '--policy', 'default');
    expect(code).toBe(0);
    expect(stdout).toMatch(/state +done\n/);
    expect(stdout).toMatch(/skipped +0\n/);
    expect(stdout.match(/^invalid /gm)?.length).toBe(1);
    expect(stdout).toMatch(/spent_usd +0\n/);
    expect(service.files.keys()).toEqual([]);
    const lines = readFileSync(at('out.csv'), 'utf8').trim().split('\n');
    expect(lines.map((line) => line.split(',').slice(0, 2))).toEqual([
      ['email', 'svc_status'],
      ['ada@business.test', 'ok'],
      ['who@nxdomain.test', 'ok'],
    ]);
    expect(lines[2]).toContain(',deny,undeliverable,');
  });

  it('says so where the results break off, and leaves the files with the service', async () => {
    afterStart = async () => {
      const upload = service.files.keys().find((key) => key.includes('/uploads/')) ?? '';
      await service.files.bucket.put(upload, 'email\n');
    };
    const { code, stderr } = await verifyFile('email\nada@business.test\n');
    afterStart = async () => undefined;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^\S+out\.csv is not whole: .*bj_\w+ are kept for 7 days\.\n$/),
    ]);
    expect(service.files.keys().length).toBeGreaterThan(0);
  });

  it('leaves the files with the service when told to, and when verified rows would go with them', async () => {
    expect((await verifyFile('email\nada@business.test\n', '--keep')).code).toBe(0);
    const kept = service.files.keys().length;
    expect(kept).toBeGreaterThan(0);
    const five = `email\n${[1, 2, 3, 4, 5].map((n) => `b${n}@business.test\n`).join('')}`;
    const { code, stderr } = await verifyFile(five, '--allow-partial');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The job bj_\w+ is paused_quota\. .*kept for 7 days\.\n$/),
    ]);
    expect(service.files.keys().length).toBeGreaterThan(kept);
  });

  it.each<[what: string, text: string, args: string[], says: string]>([
    ['an empty file', '', [], 'The file is empty.'],
    ['a file without addresses', 'a,b\n1,2\n', [], 'with --column by its header (“a”, “b”) or its number, 0 to 1'],
    ['a column that is not there', 'email\nada@business.test\n', ['--column', 'nope'], 'no column “nope”'],
    ['a segment of jobs with a policy', 'email\nada@business.test\n', ['--segment', 'deny'], 'without a policy'],
    [
      'a file that does not fit the quota',
      `email\n${[1, 2, 3, 4].map((n) => `a${n}@business.test\n`).join('')}`,
      [],
      'quota',
    ],
    ['an unknown policy', 'email\nada@business.test\n', ['--policy', 'none'], 'policy'],
  ])('says in one line what is wrong with %s', async (_, text, args, says) => {
    const files = service.files.keys();
    const { code, stderr } = await verifyFile(text, ...args);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(says)]);
    expect(service.files.keys()).toEqual(files);
  });

  it('asks for nothing where the results can’t be written', async () => {
    const env = { EMAIL_VERIFICATION_BASE_URL: 'http://127.0.0.1:1', EMAIL_VERIFICATION_API_KEY: 'k' };
    const { code, stderr } = await runOperator(['verify-file', at('in.csv'), at(join('nowhere', 'out.csv'))], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('written')]);
  });
});
