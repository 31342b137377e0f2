import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NPM_SCRIPTS, OURS, TOOL } from '../support/npm-scripts.ts';

it.each(NPM_SCRIPTS)('npm run %s is one program, of ours or a tool', (_name, command) => {
  expect(OURS.test(command) || TOOL.test(command), command).toBe(true);
});

it('CONTRIBUTING.md names each script whose --help is a tool’s, and no other', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../CONTRIBUTING.md'), 'utf8');
  const [, named = ''] = /exits with 2\. For ([^]+?),\s`--help` is that of the tool/.exec(guide) ?? [];
  const tools = NPM_SCRIPTS.filter(([, command]) => TOOL.test(command)).map(([name]) => `\`${name}\``);
  expect(named.match(/`[^`]+`/g)?.toSorted()).toEqual(tools.toSorted());
});

it('CONTRIBUTING.md names no file that is gone', () => {
  const root = join(import.meta.dirname, '../..');
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const files = Array.from(guide.matchAll(/`([a-z/-]+\/[\w.-]+\.ts)`/g), ([, file = '']) => file);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !['src', ''].some((folder) => existsSync(join(root, folder, file))))).toEqual([]);
});
