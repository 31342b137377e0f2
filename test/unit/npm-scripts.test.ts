import { readFileSync } from 'node:fs';
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
