import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/check/step.ts';
import { checkOut } from '../../../scripts/releases/record.ts';
import { recorded, refusals, stepsOf } from '../../../scripts/releases/schema-steps.ts';
import { writeNextVersion } from '../../support/next-version.ts';

const work = mkdtempSync(join(tmpdir(), 'release-test-'));
afterAll(() => rmSync(work, { recursive: true }));

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@business.test', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

describe('a recorded release', () => {
  const origin = join(work, 'origin');
  const shallow = join(work, 'shallow');
  git(work, 'init', '--quiet', origin);
  const [released = ''] = ['released', 'newer'].map((text) => {
    writeFileSync(join(origin, 'file'), text);
    git(origin, 'add', '.');
    git(origin, 'commit', '--quiet', '--message', text);
    return git(origin, 'rev-parse', 'HEAD');
  });
  git(work, 'clone', '--quiet', '--depth', '1', `file://${origin}`, shallow);

  it('is written from the history', async () => {
    await checkOut(released, join(work, 'full'), origin);
    expect(readdirSync(join(work, 'full')).sort()).toEqual(['file', 'node_modules']);
    expect(readFileSync(join(work, 'full/file'), 'utf8')).toBe('released');
  });

  it('is fetched where the clone is shallow', async () => {
    await checkOut(released, join(work, 'fetched'), shallow);
    expect(readFileSync(join(work, 'fetched/file'), 'utf8')).toBe('released');
  });

  it('is a failure when nobody has it', async () => {
    await expect(checkOut('1'.repeat(40), join(work, 'none'), shallow)).rejects.toThrow('git fetch --depth 1 origin');
  });
});

it('the made-up next version adds a step to each store, and the present one runs on both', () => {
  const folder = join(work, 'next');
  writeNextVersion(folder);
  const [now, next] = [stepsOf(ROOT), stepsOf(folder)];
  expect([next.object.length, next.postgres.length]).toEqual([now.object.length + 1, now.postgres.length + 1]);
  const past = recorded(now);
  expect([...refusals(next.object, past.object, 1), ...refusals(next.postgres, past.postgres, 1)]).toEqual([]);
});
