import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createState } from '../../scripts/stack/state.ts';

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
