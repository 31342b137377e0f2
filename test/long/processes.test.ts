import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../scripts/stack/free-port.ts';
import { isRunning, startedAt } from '../../scripts/stack/run-record.ts';
import { newStateDir, spawnStack, startTestStack, type TestStackOptions } from '../support/stack.ts';

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A start that may fail; its state is removed after the test. */
async function start(options?: TestStackOptions) {
  const stack = await spawnStack(options);
  dirs.push(stack.stateDir);
  return stack;
}

describe('two stacks', () => {
  it('do not share a state directory: the second refuses and leaves the first alone', async () => {
    const first = await startTestStack();
    const second = await start({ stateDir: first.stateDir });
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(`A stack is already running on ${first.stateDir}: ${first.base_url}`);
    expect((await first.request('/health')).status).toBe(200);
    expect(existsSync(join(first.stateDir, 'stack.json'))).toBe(true);
    await first.remove();
  });

  it('started at once on one state directory: exactly one comes up', async () => {
    const stateDir = newStateDir();
    const both = await Promise.all([start({ stateDir }), start({ stateDir })]);
    const loser = await Promise.race(both.map(async (stack) => ({ stack, code: await stack.exited })));
    expect(loser.code).toBe(1);
    expect(loser.stack.output()).toContain('A stack is already running');
    const winner = both.find((stack) => stack !== loser.stack);
    await until(() => existsSync(join(stateDir, 'stack.json')));
    winner?.child.kill('SIGTERM');
    expect(await winner?.exited).toBe(0);
  });
});

describe('a start that can not go on', () => {
  it('says that the port is taken', async () => {
    const port = await freePort();
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    const stack = await start({ port });
    expect(await stack.exited).toBe(1);
    expect(stack.output()).toContain(`Port ${port} is taken. Choose another with --port N.`);
    taken.close();
  });

  it('says that the database can not be reached, without its password', async () => {
    const port = await freePort();
    const stack = await start({ env: { DATABASE_URL: `postgresql://me:secret@127.0.0.1:${port}/none` } });
    expect(await stack.exited).toBe(1);
    expect(stack.output()).toContain("The Postgres named by DATABASE_URL can't be reached");
    expect(stack.output()).not.toContain('secret');
  });
});

describe('a signal while it starts', () => {
  it.each([0, 700])('after %i ms ends everything with 0', async (ms) => {
    const stack = await start();
    const record = join(stack.stateDir, 'processes.json');
    await until(() => existsSync(record));
    await sleep(ms);
    stack.child.kill('SIGTERM');
    expect(await stack.exited).toBe(0);
    expect(existsSync(record)).toBe(false);
  });
});

describe('what a killed run left', () => {
  it('ends with it: its other processes watch for its death', async () => {
    const stack = await startTestStack();
    const processes = stack.processes().map(({ pid }) => ({ pid, started_at: startedAt(pid) ?? 'ended' }));
    await stack.kill();
    await until(() => !processes.some(isRunning));
    await stack.remove();
  });

  it('is ended by the next start, though it could not watch', async () => {
    const stack = await startTestStack();
    const named = (name: string) => stack.processes().find((started) => started.name === name)?.pid ?? 0;
    const workerd = { pid: named('workerd'), started_at: startedAt(named('workerd')) ?? 'ended' };
    const worker = named('worker');
    process.kill(worker, 'SIGSTOP');
    const killed = stack.kill();
    process.kill(worker, 'SIGKILL');
    await killed;
    expect(isRunning(workerd)).toBe(true);

    const next = await startTestStack({ stateDir: stack.stateDir, port: Number(new URL(stack.base_url).port) });
    expect(next.output()).toContain('ending workerd, left by a killed run');
    expect(isRunning(workerd)).toBe(false);
    expect(next.keys).toEqual(stack.keys);
    await next.remove();
  });

  it('does not include a process that was given the same pid later', async () => {
    const stateDir = newStateDir();
    const bystander = spawn('sleep', ['60']);
    const owner = { name: 'stack', pid: process.pid, started_at: 'another time' };
    const leftover = { name: 'workerd', pid: bystander.pid, started_at: 'another time' };
    writeFileSync(join(stateDir, 'processes.json'), JSON.stringify({ base_url: 'x', processes: [owner, leftover] }));
    const stack = await startTestStack({ stateDir });
    expect(bystander.exitCode).toBe(null);
    expect(bystander.signalCode).toBe(null);
    bystander.kill();
    await stack.remove();
  });
});
