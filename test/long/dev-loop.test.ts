import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { copyProject } from '../support/project-copy.ts';
import { newStateDir, spawnStack, startTestStack, type TestStack } from '../support/stack.ts';

const ROOT = join(import.meta.dirname, '../..');

let root: string;
let stack: TestStack;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'dev-loop-'));
  copyProject(root);
  stack = await startTestStack({ root, args: ['--watch'] });
});
afterAll(async () => {
  await stack.remove();
  rmSync(root, { recursive: true, force: true });
});

const FILE = 'src/entrypoints/http/app.ts';
const SAID = 'There is nothing at this path.';
const written = readFileSync(join(ROOT, FILE), 'utf8');
const save = (text: string, file = FILE) => writeFileSync(join(root, file), text);
/** What the Worker loads at its start: the app of all routes is loaded when it is called for. */
const FIRST_FILE = 'src/entrypoints/http/first-app.ts';
const first = readFileSync(join(ROOT, FIRST_FILE), 'utf8');

/** Until the service says this of a path that it does not have. */
async function answers(text: string): Promise<void> {
  for (;;) {
    // While it restarts, connections are refused or cut.
    const answer = await stack
      .request('/nowhere')
      .then((response) => response.text())
      .catch(() => '');
    if (answer.includes(text)) return;
    await sleep(20);
  }
}

it('a change of the source is answered with, on the same state', async () => {
  await answers(SAID);
  save(written.replace(SAID, 'Nothing was ever here.'));
  await answers('Nothing was ever here.');
  expect((await stack.request('/v1/me', stack.keys.admin)).status).toBe(200);
  expect(stack.output()).toMatch(/The Worker restarted after [\d.]+ s: src\/entrypoints\/http\/app\.ts changed/);
});

it('the running one continues after a fault in the source, and the console says where the fault is', async () => {
  save(`${written}\nconst broken: = 1;\n`);
  while (!stack.output().includes(`${FILE}:`)) await sleep(20);
  expect(stack.output()).toContain("The Worker can't be built:");
  await answers('Nothing was ever here.');
  save(written);
  await answers(SAID);
});

/** A fault that shows only as the module is loaded. */
const THROWS = "if (Math.abs(1) === 1) throw new Error('thrown while it is loaded');\n";
const TOLD = [
  "The Worker can't be loaded:",
  'Uncaught Error: thrown while it is loaded',
  `  at ${FIRST_FILE}:1:30`,
  'The Worker from before goes on.',
].join('\n');

it('the previous one continues when new source throws on loading, and the console says what threw and where', async () => {
  for (let times = 1; times <= 2; times += 1) {
    save(THROWS + first, FIRST_FILE);
    while (stack.output().split(TOLD).length <= times) await sleep(20);
    await answers(SAID);
    save(first, FIRST_FILE);
    save(written.replace(SAID, `Mended ${times}.`));
    await answers(`Mended ${times}.`);
    save(written);
    await answers(SAID);
  }
  expect(stack.output()).not.toContain('ERR_RUNTIME_FAILURE');
  expect((await stack.request('/v1/me', stack.keys.admin)).status).toBe(200);
});

it.each([
  { fault: 'throws as it is loaded', broken: THROWS + first, says: TOLD.split('\n').slice(0, 3).join('\n') },
  { fault: 'can’t be built', broken: `${first}\nconst broken: = 1;\n`, says: "The Worker can't be built:" },
])('begun on source that $fault, it says so and starts once that is mended', async ({ broken, says }) => {
  save(broken, FIRST_FILE);
  const stateDir = newStateDir();
  const begun = await spawnStack({ root, stateDir, args: ['--watch'] });
  onTestFinished(async () => {
    begun.child.kill('SIGKILL');
    await begun.exited;
    rmSync(stateDir, { recursive: true });
  });
  while (!begun.output().includes('The Worker starts once the source is mended.')) await sleep(20);
  expect(begun.output()).toContain(says);
  save(first, FIRST_FILE);
  while (!begun.output().includes('Ready in')) await sleep(20);
  begun.child.kill('SIGTERM');
  expect(await begun.exited).toBe(0);
});
