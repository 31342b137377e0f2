import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../stack/free-port.ts';
import { copyProject } from '../stack/project-copy.ts';
import { spread } from './rounds.ts';
import type { BenchRow } from './row.ts';

const PROJECT = join(import.meta.dirname, '../..');

/** What is answered at a path that the service does not have, and where that is written. */
const FILE = 'src/entrypoints/http/app.ts';
const SAID = 'There is nothing at this path.';

const ROUNDS = 7;
const POLL_MS = 10;

/** From the save of a file until the service answers by it, at the wall: what one waits for with `npm run dev`. */
async function saveToAnswer(root: string, baseUrl: string, round: number): Promise<number> {
  const said = `Saved ${round} times.`;
  const source = readFileSync(join(PROJECT, FILE), 'utf8');
  if (!source.includes(SAID)) throw new Error(`${FILE} does not hold "${SAID}"`);
  const startedMs = performance.now();
  writeFileSync(join(root, FILE), source.replace(SAID, said));
  for (;;) {
    // While it restarts, connections are refused or cut.
    const answer = await fetch(`${baseUrl}/nowhere`)
      .then((response) => response.text())
      .catch(() => '');
    if (answer.includes(said)) return (performance.now() - startedMs) / 1_000;
    await sleep(POLL_MS);
  }
}

export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-dev-loop-'));
  const [root, state] = [join(folder, 'project'), join(folder, 'state')];
  copyProject(root);
  const args = ['--watch', '--no-cron', '--port', String(await freePort()), '--state', state];
  const stack = fork(join(root, 'scripts/start.ts'), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(stack, 'exit');
  const output = stack.stdout === null ? '' : text(stack.stdout);
  try {
    const stackFile = join(state, 'stack.json');
    while (!existsSync(stackFile)) {
      if (stack.exitCode !== null) throw new Error(`npm run dev did not start:\n${await output}`);
      await sleep(POLL_MS);
    }
    const { base_url: baseUrl } = JSON.parse(readFileSync(stackFile, 'utf8')) as { base_url: string };
    const times: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) times.push(await saveToAnswer(root, baseUrl, round));
    const { median, range } = spread(times);
    return [{ name: 'npm run dev: save to the new answer', value: median, unit: 's', range, target: { atMost: 2 } }];
  } finally {
    stack.disconnect();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}
