import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createState, isMadeWith, loadSecrets } from '../../scripts/stack/state.ts';

it.each([
  { folder: 'that is new', holds: null, mode: 0o700 },
  { folder: 'that is empty', holds: [], mode: 0o700 },
  { folder: 'of an earlier stack', holds: ['secrets.json', 'worker'], mode: 0o700 },
  { folder: 'with files of another program', holds: ['secrets.json', 'letter.txt'], mode: 0o755 },
])('a state folder $folder is for its owner alone, unless others use it', ({ holds, mode }) => {
  const root = mkdtempSync(join(tmpdir(), 'state-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const dir = join(root, 'state');
  if (holds !== null) {
    mkdirSync(dir);
    chmodSync(dir, 0o755);
    for (const name of holds) writeFileSync(join(dir, name), '');
  }
  createState(dir);
  expect(statSync(dir).mode & 0o777).toBe(mode);
});

describe('a state knows whether it was made with a HASH_SECRET', () => {
  const [OWN, OTHER] = [1, 2].map((fill) => Buffer.alloc(32, fill).toString('base64')) as [string, string];
  function newState(): string {
    const dir = mkdtempSync(join(tmpdir(), 'state-'));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    return dir;
  }

  it('of the user’s own, which its files do not hold', () => {
    const dir = newState();
    loadSecrets(dir, OWN);
    const secrets = loadSecrets(dir, OTHER);
    const fits = [OWN, ` ${OWN}\n`, OTHER, secrets.hash_secret].map((secret) => isMadeWith(secrets, secret));
    expect(fits).toEqual([true, true, false, false]);
    expect(readFileSync(join(dir, 'secrets.json'), 'utf8')).not.toContain(OWN);
  });

  it('of its own making', () => {
    const secrets = loadSecrets(newState());
    expect([secrets.hash_secret, OTHER].map((secret) => isMadeWith(secrets, secret))).toEqual([true, false]);
  });
});
