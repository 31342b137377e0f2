import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkJob } from '../../src/contract/bulk.ts';
import { Cut, type MortalStack } from './mortal-stack.ts';

/** How far a client has got. */
export const PHASES = ['new', 'uploading', 'starting', 'running', 'downloading'] as const;
export type Phase = (typeof PHASES)[number];

const BLOCKS = 10;
const BLOCK_MS = 20;
const POLL_MS = 10;

/** Node’s `fetch` requires `duplex` for a streamed body. */
type StreamInit = RequestInit & { readonly duplex?: 'half' };

/** A client that runs one file through a bulk job, and after each cut resumes from the job’s state. */
export class BulkClient {
  phase: Phase = 'new';
  /** When each phase began, by `performance.now()`. */
  readonly reachedAt: Partial<Record<Phase, number>> = {};
  id = '';
  private readonly stack: MortalStack;
  private readonly file: Uint8Array;
  private readonly authorization: Readonly<Record<string, string>>;

  /** @param key a member's; without it the seeded organisation's */
  constructor(stack: MortalStack, text: string, key?: string) {
    this.stack = stack;
    this.file = new TextEncoder().encode(text);
    this.authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  }

  /** Downloads the results repeatedly until `isOver`. Returns each complete download. */
  async run(isOver: () => boolean): Promise<string[]> {
    const downloads: string[] = [];
    while (downloads.length === 0 || !isOver()) {
      try {
        const results = await this.step();
        if (results !== null) downloads.push(results);
      } catch (error) {
        if (!(error instanceof Cut)) throw error;
      }
    }
    return downloads;
  }

  async job(): Promise<BulkJob> {
    return this.read('GET', '');
  }

  private async step(): Promise<string | null> {
    if (this.id === '') {
      this.id = (await this.read('POST', '', { body: '{}' })).id;
      return null;
    }
    const { state } = await this.job();
    switch (state) {
      case 'uploading':
        this.reach('uploading');
        await this.read('PUT', '/upload', this.upload());
        return null;
      case 'ready':
        this.reach('starting');
        await this.read('POST', '/start', { body: '{}' });
        return null;
      case 'running':
        this.reach('running');
        await sleep(POLL_MS);
        return null;
      case 'done':
        this.reach('downloading');
        return this.stack.request('GET', `/v1/bulk/jobs/${this.id}/results.csv`, { headers: this.authorization });
      case 'queued':
      case 'paused_quota':
      case 'failed':
      case 'cancelled':
      case 'expired':
        throw new Error(`the job is ${state}`);
    }
  }

  private reach(phase: Phase): void {
    this.phase = phase;
    this.reachedAt[phase] ??= performance.now();
  }

  /** The file as a slow stream of unknown length. */
  private upload(): StreamInit {
    const { file } = this;
    const size = Math.ceil(file.length / BLOCKS);
    let from = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await sleep(BLOCK_MS);
        if (from >= file.length) return controller.close();
        controller.enqueue(file.subarray(from, from + size));
        from += size;
      },
    });
    return { body, duplex: 'half', headers: { 'content-type': 'text/csv' } };
  }

  private async read(method: string, path: string, init?: StreamInit): Promise<BulkJob> {
    const headers = Object.assign({}, this.authorization, init?.headers);
    const at = `/v1/bulk/jobs${this.id === '' ? '' : `/${this.id}`}${path}`;
    const text = await this.stack.request(method, at, { ...init, headers });
    return (JSON.parse(text) as { job: BulkJob }).job;
  }
}
