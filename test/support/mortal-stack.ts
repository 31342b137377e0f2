import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../scripts/stack/free-port.ts';
import { LEASE_MS } from '../../src/domain/bulk/chunks.ts';
import { SECOND_MS } from '../../src/kernel/clock.ts';
import { startTestStack, type TestStack } from './stack.ts';

/** A request that was under way when the runtime was killed. */
export class Cut extends Error {}

/** Long enough for every earlier lease to end. */
const GONE_S = LEASE_MS / SECOND_MS + 5;
/** The cron that makes up for lost wake-ups. */
const SWEEP = '*/5 * * * *';

/** One service over many runs of its stack. Each starts from the killed one's state, a little later by its clock. */
export class MortalStack {
  /** When each life ended, by `performance.now()`. */
  readonly deaths: number[] = [];
  private readonly env: Readonly<Record<string, string>>;
  private readonly port: number;
  private offsetS: number;
  private life: Promise<TestStack>;

  private constructor(env: Readonly<Record<string, string>>, port: number, offsetS: number) {
    this.env = env;
    this.port = port;
    this.offsetS = offsetS;
    this.life = this.start();
  }

  /** @param offsetS how far ahead its clock is in the first life */
  static async start(env: Readonly<Record<string, string>>, offsetS: number): Promise<MortalStack> {
    const stack = new MortalStack(env, await freePort(), offsetS);
    await stack.life;
    return stack;
  }

  /** The stack that is up, once it is. */
  now(): Promise<TestStack> {
    return this.life;
  }

  /** A member's request that must succeed. Rejects with `Cut` when the service died under it. */
  async request(method: string, path: string, init: RequestInit = {}): Promise<string> {
    const { base_url: baseUrl, keys } = await this.life;
    const lives = this.deaths.length;
    try {
      const headers = { authorization: `Bearer ${keys.member}`, 'content-type': 'application/json', ...init.headers };
      const response = await fetch(`${baseUrl}${path}`, { ...init, method, headers });
      const text = await response.text();
      if (response.ok) return text;
      throw new Error(`${method} ${path}: ${response.status} ${text}`);
    } catch (error) {
      if (this.deaths.length > lives) throw new Cut();
      throw error;
    }
  }

  /** SIGKILL to the runtime, then to the rest; up again when this resolves. A cache (KV) may be lost on the way. */
  async killAndRestart(keepsCache: boolean): Promise<void> {
    const dying = await this.life;
    this.deaths.push(performance.now());
    this.life = this.liveOn(dying, keepsCache);
    await this.life;
  }

  async remove(): Promise<void> {
    await (await this.life).remove();
  }

  private async liveOn(dying: TestStack, keepsCache: boolean): Promise<TestStack> {
    const runtime = dying.processes().find(({ name }) => name === 'workerd');
    if (runtime === undefined) throw new Error('the runtime of the stack is not found');
    process.kill(runtime.pid, 'SIGKILL');
    await dying.kill();
    if (!keepsCache) rmSync(join(dying.stateDir, 'worker/kv'), { recursive: true, force: true });
    this.offsetS += GONE_S;
    const stack = await this.start(dying.stateDir);
    await stack.cron(SWEEP);
    return stack;
  }

  private start(stateDir?: string): Promise<TestStack> {
    const env = { ...this.env, CLOCK_OFFSET_S: String(this.offsetS) };
    return startTestStack({
      env,
      port: this.port,
      databaseDelayMs: 0,
      ...(stateDir === undefined ? {} : { stateDir }),
    });
  }
}
