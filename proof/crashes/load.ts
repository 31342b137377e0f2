import { setTimeout as sleep } from 'node:timers/promises';
import { BulkClient } from '../../test/support/bulk-client.ts';
import { customerFile } from '../../test/support/customer-file.ts';
import type { MortalStack } from '../../test/support/mortal-stack.ts';
import type { SeededRandom } from '../../test/support/seeded-random.ts';
import { rested } from '../support/settings.ts';

type Role = 'viewer' | 'member' | 'admin' | 'operator';
/** The caller: a key of the seeded organisation by role, or a key itself. */
export type Caller = Role | { readonly key: string };

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A request is sent again after this long, until it is acknowledged. */
const AGAIN_MS = 50;
/** A request that was neither answered nor cut in this time counts as cut. */
const PATIENCE_MS = 30_000;

interface ImportedRow {
  readonly email: string;
  readonly outcome: 'delivered' | 'hard_bounce';
  readonly at: number;
}
/** Rows of one request. */
interface Import {
  readonly caller: Caller;
  readonly rows: readonly ImportedRow[];
}
const IMPORTED_AT_ONCE = 20;

/** Everything acknowledged, which must exist at the end. */
export interface Acknowledged {
  /** By the id of the trace, whether its outcome was acknowledged too. */
  readonly traces: Map<string, boolean>;
  readonly rules: string[];
  /** Secrets by the key's id. */
  readonly keys: Map<string, string>;
  /** The last name of each policy. */
  readonly policies: Map<string, string>;
  readonly imports: Import[];
  /** Results of files, without their traces’ ids. */
  readonly files: string[];
  /** Requests that were sent again, because they were cut or refused. */
  again: number;
  /** Failures of the service, and repeats under one key that name another trace. */
  readonly faults: string[];
}
export const nothingYet = (): Acknowledged => ({
  traces: new Map(),
  rules: [],
  keys: new Map(),
  policies: new Map(),
  imports: [],
  files: [],
  again: 0,
  faults: [],
});

export const FILE = customerFile(40);

/** Trace ids differ between jobs. */
const withoutIds = (text: string): string => text.replaceAll(/\bvr_[0-9a-z]+/g, 'vr_');

/** Runs one file through a job of its own; returns its results. */
export async function bringFile(stack: MortalStack, key: string): Promise<string> {
  const client = new BulkClient(stack, FILE.text, key);
  for (;;) {
    try {
      const [results = ''] = await client.run(() => true);
      return withoutIds(results);
    } catch (error) {
      // An outage is no end of the job: the client asks again.
      if (!/: (?:503|429) /.test((error as Error).message)) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

/** One request to the running stack; null when it was cut off. */
export async function ask(
  stack: MortalStack,
  caller: Caller,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer | null> {
  const { base_url: baseUrl, keys } = await stack.now();
  const lives = stack.deaths.length;
  const key = typeof caller === 'string' ? keys[caller] : caller.key;
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: Object.assign({ authorization: `Bearer ${key}`, 'content-type': 'application/json' }, headers),
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (stack.deaths.length > lives || (error as Error).name === 'TimeoutError') return null;
    throw error;
  }
}

/** Clients that run until stopped; each completes the request that it has begun. */
export class Load {
  readonly acknowledged = nothingYet();
  private readonly stack: MortalStack;
  private readonly draws: SeededRandom;
  private readonly importer: Caller;
  private readonly sender: string;
  private serial = 0;
  private isOver = false;
  private clients: Promise<unknown> = Promise.resolve();

  /**
   * @param importer a member of a second organisation: an import waits until all of its organisation's traces are written, which
   *   never happens in the first one under this load
   * @param sender the key of a member of a third one, which uploads files: evidence of other requests would change their numbers
   */
  constructor(stack: MortalStack, draws: SeededRandom, importer: Caller, sender: string) {
    this.stack = stack;
    this.draws = draws;
    this.importer = importer;
    this.sender = sender;
  }

  begin(): void {
    const work = [this.verify, this.verify, this.verify, this.report, this.rule, this.key, this.policy];
    this.clients = Promise.all([
      ...work.map((each) => this.goOn(each.bind(this))),
      ...['member' as const, this.importer].map((caller) => this.goOn(() => this.import(caller))),
      this.goOn(() => this.file(), 1_000),
    ]);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.clients;
  }

  private async goOn(work: () => Promise<void>, pauseMs = 0): Promise<void> {
    while (!this.isOver) {
      await rested();
      await work();
      await sleep(pauseMs + this.draws.uniform() * 60);
    }
  }

  /** Repeats a request while it is cut off or refused for a temporary reason; returns its answer. */
  async acknowledge(
    caller: Caller,
    method: string,
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, unknown> | null> {
    for (;;) {
      const answer = await ask(this.stack, caller, method, path, body, headers);
      if (answer !== null && answer.status < 300) return JSON.parse(answer.text) as Record<string, unknown>;
      if (answer !== null && answer.status !== 503 && answer.status !== 429 && answer.status !== 409) {
        this.acknowledged.faults.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
        return null;
      }
      this.acknowledged.again += 1;
      await sleep(AGAIN_MS);
    }
  }

  private next(): number {
    this.serial += 1;
    return this.serial;
  }

  private async verify(): Promise<void> {
    const n = this.next();
    const email = `person${n}@business.test`;
    const send = () => this.acknowledge('member', 'POST', '/v1/verify', { email }, { 'idempotency-key': `crash-${n}` });
    const first = await send();
    if (first === null) return;
    this.acknowledged.traces.set(String(first['trace_id']), false);
    if (this.draws.uniform() < 0.8) return;
    const second = await send();
    if (second?.['trace_id'] !== first['trace_id'])
      this.acknowledged.faults.push(
        `a repeat under one key: ${String(first['trace_id'])}, then ${String(second?.['trace_id'])}`,
      );
  }

  private async report(): Promise<void> {
    const [trace] = [...this.acknowledged.traces].find(([, isReported]) => !isReported) ?? [];
    if (trace === undefined) return;
    const taken = await this.acknowledge('member', 'POST', '/v1/outcome', { trace_id: trace, outcome: 'delivered' });
    if (taken !== null) this.acknowledged.traces.set(trace, true);
  }

  private async rule(): Promise<void> {
    const domain = `rule${this.next()}.example`;
    if ((await this.acknowledge('member', 'POST', '/v1/domains/blocklist', { domains: [domain] })) !== null)
      this.acknowledged.rules.push(domain);
  }

  private async key(): Promise<void> {
    if (this.acknowledged.keys.size >= 50) return;
    const made = await this.acknowledge('admin', 'POST', '/v1/keys', { name: `key ${this.next()}`, role: 'viewer' });
    const key = made?.['key'] as { id: string; secret: string } | undefined;
    if (key !== undefined) this.acknowledged.keys.set(key.id, key.secret);
  }

  private async policy(): Promise<void> {
    const n = this.next();
    const slug = `policy-${n % 10}`;
    const document = { name: `Policy ${n}`, rules: [], default: 'allow' };
    if ((await this.acknowledge('admin', 'PUT', `/v1/policies/${slug}`, document)) !== null)
      this.acknowledged.policies.set(slug, document.name);
  }

  private async import(caller: Caller): Promise<void> {
    const at = Math.floor(Date.now() / 1_000) - 86_400;
    const rows = Array.from({ length: IMPORTED_AT_ONCE }, (_, place): ImportedRow => {
      const domain = place % 2 === 0 ? 'business.test' : 'google-workspace.test';
      const outcome = place % 5 === 0 ? 'hard_bounce' : 'delivered';
      return { email: `imported${this.next()}@${domain}`, outcome, at };
    });
    if ((await this.acknowledge(caller, 'POST', '/v1/outcomes/import', { outcomes: rows })) !== null)
      this.acknowledged.imports.push({ caller, rows });
  }

  private async file(): Promise<void> {
    this.acknowledged.files.push(await bringFile(this.stack, this.sender));
  }
}
