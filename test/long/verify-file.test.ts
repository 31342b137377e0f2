import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { onPort } from '../support/on-port.ts';
import { runOperator, startOperator } from '../support/operator-cli.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const organisation = await service.createOrganisation({ verification_quota: 8 });
const runJobs = () => service.runJobs(organisation.id);
/** Its queue is at work as soon as a job starts. */
let afterStart = runJobs;
/** Calls that get no answer, and what is done in its place. */
let unanswered: { readonly path: RegExp; readonly meanwhile: () => void } | null = null;
/** Calls that do their work, and whose answer is lost. */
let lost: RegExp | null = null;
const baseUrl = await onPort(
  async (path, init) => {
    if (unanswered?.path.test(path)) {
      unanswered.meanwhile();
      await new Promise(() => undefined);
    }
    const answer = await service.request(path, init);
    return lost?.test(path)
      ? new Response(new ReadableStream({ pull: (body) => body.error(new Error('lost')) }), answer)
      : answer;
  },
  async (path) => {
    if (path.endsWith('/start')) await afterStart();
  },
);
const folder = mkdtempSync(join(tmpdir(), 'verify-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

afterEach(() => {
  afterStart = runJobs;
  unanswered = null;
  lost = null;
  rmSync(at('out.csv'), { force: true });
});

const at = (name: string): string => join(folder, name);
const env = { EMAIL_VERIFICATION_BASE_URL: baseUrl, EMAIL_VERIFICATION_API_KEY: organisation.keys.member };
function start(text: string, ...args: string[]) {
  writeFileSync(at('in.csv'), text);
  return startOperator(['verify-file', at('in.csv'), at('out.csv'), ...args], env);
}
const verifyFile = (text: string, ...args: string[]) => start(text, ...args).ended;
const statuses = () =>
  readFileSync(at('out.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((row) => row.split(',').slice(0, 2).join(' '));

/** What it says on its error stream when the job starts, then the command it names last. */
function said(stderr: string) {
  const lines = stderr.trim().split('\n');
  const [, command] = /`npm run operator -- ([^`]*)`/.exec(lines.at(-1) ?? '') ?? [];
  return { lines, fetch: () => runOperator(command?.split(' ') ?? [], env) };
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
    expect(lines[2]).toContain(',deny,blocked,');
  });

  it('leaves a file as it was where the results break off, and names the command that has them later', async () => {
    let restore = async (): Promise<unknown> => undefined;
    afterStart = async () => {
      await runJobs();
      const upload = service.files.keys().find((key) => key.includes('/uploads/')) ?? '';
      const whole = await (await service.files.bucket.get(upload))?.arrayBuffer();
      await service.files.bucket.put(upload, 'email\n');
      restore = () => service.files.bucket.put(upload, whole ?? '');
    };
    writeFileSync(at('out.csv'), 'of yesterday');
    const { code, stderr } = await verifyFile('email\nada@business.test\n');
    const { lines, fetch } = said(stderr);
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^The job bj_\w+ has begun\./),
      expect.stringMatching(/^\S+out\.csv was not written \(the results broke off\)\. The job bj_\w+ has ended: /),
    ]);
    expect([readFileSync(at('out.csv'), 'utf8'), readdirSync(folder).sort()]).toEqual([
      'of yesterday',
      ['in.csv', 'out.csv'],
    ]);
    await restore();
    expect(await fetch()).toMatchObject({ code: 0, stderr: '' });
    expect(statuses()).toEqual(['email svc_status', 'ada@business.test ok']);
    expect(service.files.keys().length).toBeGreaterThan(0);
  });

  it('ends on Ctrl-C with what becomes of the job, which the command it names takes up', async () => {
    afterStart = async () => undefined;
    const run = start('email\nada@business.test\n');
    unanswered = { path: /\/bj_\w+$/, meanwhile: run.interrupt };
    const { code, stdout, stderr } = await run.ended;
    unanswered = null;
    expect([code, stdout, existsSync(at('out.csv'))]).toEqual([130, '', false]);
    const { lines, fetch } = said(stderr);
    expect(lines).toEqual([
      expect.stringMatching(/^The job bj_\w+ has begun\./),
      expect.stringMatching(/^The job bj_\w+ goes on: `.*` fetches its results\.$/),
    ]);
    const fetched = fetch();
    await runJobs();
    expect(await fetched).toMatchObject({ code: 0, stdout: expect.stringMatching(/state +done\n/) });
    expect(statuses()).toEqual(['email svc_status', 'ada@business.test ok']);
  });

  it('keeps a job that may have begun, and says so', async () => {
    lost = /\/start$/;
    const { code, stderr } = await verifyFile('email\nada@business.test\n');
    lost = null;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ broke off\. The job bj_\w+ may have begun: `/)]);
    expect(await said(stderr).fetch()).toMatchObject({ code: 0 });
    expect(statuses()).toEqual(['email svc_status', 'ada@business.test ok']);
  });

  it('takes a job with it on Ctrl-C that was not started', async () => {
    const files = service.files.keys();
    const run = start('email\nada@business.test\n');
    unanswered = { path: /\/estimate$/, meanwhile: run.interrupt };
    expect(await run.ended).toEqual({
      code: 130,
      stdout: '',
      stderr: 'Nothing was started, and nothing is charged.\n',
    });
    expect(service.files.keys()).toEqual(files);
  });

  it('leaves the files with the service when asked to', async () => {
    expect((await verifyFile('email\nada@business.test\n', '--keep')).code).toBe(0);
    expect(service.files.keys().length).toBeGreaterThan(0);
  });

  it('goes as far as the quota does with --allow-partial, and writes that', async () => {
    const five = `email\n${[1, 2, 3, 4, 5].map((n) => `b${n}@business.test\n`).join('')}`;
    const { code, stdout } = await verifyFile(five, '--allow-partial');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/state +cancelled\n.*unique +5\nverified +2\n/s)]);
    expect(statuses().map((row) => row.split(' ')[1])).toEqual(['svc_status', 'ok', 'ok', '', '', '']);
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
    const nowhere = { EMAIL_VERIFICATION_BASE_URL: 'http://127.0.0.1:1', EMAIL_VERIFICATION_API_KEY: 'k' };
    writeFileSync(at('in.csv'), 'email\nada@business.test\n');
    const verify = (output: string) => runOperator(['verify-file', at('in.csv'), output], nowhere);
    expect(await verify(at('nowhere/out.csv'))).toMatchObject({ code: 1, stderr: expect.stringContaining('written') });
    expect(await verify(at('in.csv'))).toMatchObject({ code: 1, stderr: expect.stringContaining('the very file') });
    expect(readFileSync(at('in.csv'), 'utf8')).toBe('email\nada@business.test\n');
    const fetched = await runOperator(['fetch-file', 'bj_1', folder], nowhere);
    expect(fetched).toMatchObject({ code: 1, stderr: `${folder} is a directory.\n` });
  });
});
