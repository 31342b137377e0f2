import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

async function research(...args: string[]) {
  const entry = join(import.meta.dirname, '../index.ts');
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number, stdout, stderr };
}

it('names its commands with --help', async () => {
  const { code, stdout } = await research('--help');
  expect(code).toBe(0);
  for (const command of ['number', 'spending-limits', 'insights', 'screening', 'lists'])
    expect(stdout).toContain(command);
});

describe.each(['number', 'spending-limits', 'insights', 'screening', 'lists'])('%s', (command) => {
  it('explains itself with --help', async () => {
    const { code, stdout, stderr } = await research(command, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: research ${command} `));
  });
});

it.each([
  [['weather'], 'unknown command'],
  [['number', '--nonsense'], 'unknown option'],
  [['number', 'too', 'many', 'words'], 'too many arguments'],
  [['insights', '--rate', 'x'], 'a number'],
  [['screening'], '--cases'],
  [['lists'], '--cases'],
])('%j ends with 2 and one line that says what is wrong', async (args, says) => {
  const { code, stdout, stderr } = await research(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: .+\n$/);
  expect(stderr).toContain(says);
});

it('simulates and prints figures beside their targets', async () => {
  const { code, stdout } = await research('insights', '--segments', '200', '--runs', '1', '--power', '1');
  expect([0, 1]).toContain(code);
  expect(stdout).toContain('hold the rate');
});
