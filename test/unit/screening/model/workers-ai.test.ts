import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createModelBackend, type RunAi } from '../../../../src/integrations/model.ts';
import type { ModelRequestFault } from '../../../../src/services/screening/ask-model.ts';
import { PRICE_MICROS, world } from './world.ts';

const MODEL = '@cf/meta/llama-3.1-8b-instruct';
const noFetch = () => Promise.reject(new Error('the binding must be asked, not the network'));

function binding(run: RunAi) {
  const backend = createModelBackend({ backend: 'workers-ai', model: MODEL, priceMicros: PRICE_MICROS }, noFetch, run);
  return world(undefined, { backend });
}

const FAILING: readonly (readonly [gives: string, run: RunAi, kind: ModelRequestFault])[] = [
  ['an error of the service', () => Promise.reject(new Error('3040: Capacity temporarily exceeded')), 'server_error'],
  [
    'an error at once',
    () => {
      throw new Error('5007: No such model');
    },
    'server_error',
  ],
  ['nothing', async () => undefined, 'malformed'],
  ['a stream', async () => new ReadableStream(), 'malformed'],
  ['an empty reply', async () => ({ response: null }), 'malformed'],
  ['a huge text', async () => ({ response: ' '.repeat(100_000) }), 'too_large'],
  ['a hang', () => new Promise<unknown>(() => undefined), 'timeout'],
  ['a text without a label', async () => ({ response: 'likely' }), 'unreadable'],
];

beforeEach(() => {
  vi.useFakeTimers();
});

describe('the Workers AI binding', () => {
  it('is run with the model and the messages, the datum alone in the second', async () => {
    const run = vi.fn<RunAi>(async () => ({ response: '{"fake_name":"likely"}' }));
    await binding(run).ask('Ada Lovelace', null);
    expect(run).toHaveBeenCalledOnce();
    const [[model, inputs] = []] = run.mock.calls;
    expect(model).toBe(MODEL);
    expect(inputs).toMatchObject({
      messages: [{ role: 'system' }, { role: 'user', content: '"Ada Lovelace"' }],
      response_format: { type: 'json_schema', json_schema: { required: ['fake_name'] } },
    });
  });

  it.each([
    ['text', { response: '{"fake_name":"likely"}', usage: {} }],
    ['JSON mode, parsed', { response: { fake_name: 'likely' } }],
    ['a chat completion', { choices: [{ message: { role: 'assistant', content: '{"fake_name":"likely"}' } }] }],
  ])('answers as %s', async (_, reply) => {
    expect(await binding(async () => reply).ask('Ada', null)).toMatchObject({
      fakeName: 'likely',
      costMicros: PRICE_MICROS,
    });
  });

  it.each(FAILING)('has failed when it gives %s', async (_, run, kind) => {
    const { ask, failed } = binding(run);
    const asked = ask('Ada', null);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await asked).toMatchObject({ fakeName: 'not_checked', degraded: true });
    expect(failed()).toEqual([`fake_name:${kind}`]);
  });

  it('is stopped when its time is over', async () => {
    let stop: AbortSignal | undefined;
    const asked = binding((_model, _inputs, { signal }) => {
      stop = signal;
      return new Promise<unknown>(() => undefined);
    }).ask('Ada', null);
    await vi.advanceTimersByTimeAsync(1_500);
    await asked;
    expect(stop?.aborted).toBe(true);
  });
});

describe('the setting `none`', () => {
  it('leaves the service without a back end', () => {
    expect(createModelBackend({ backend: 'none' }, noFetch, noFetch)).toBeNull();
  });
});
