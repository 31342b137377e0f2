import { describe, expect, it } from 'vitest';
import { discardRest, readText } from '../../../src/kernel/read-body.ts';

const CHUNK = new Uint8Array(1_000).fill(97);
const LIMITS = { limitBytes: 10_000, timeoutMs: 1_000 };

/** A body of so many chunks that knows how much of it was taken. */
function bodyOf(chunks: number, then: 'ends' | 'hangs' | 'breaks' = 'ends') {
  const taken = { chunks: 0, ended: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken.chunks < chunks) {
          taken.chunks += 1;
          return controller.enqueue(CHUNK);
        }
        if (then === 'hangs') return new Promise(() => undefined);
        if (then === 'breaks') return controller.error(new Error('gone'));
        taken.ended = true;
        return controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, taken };
}

describe('the rest of a body', () => {
  it('is read to its end, also when another reader has begun', async () => {
    const { stream, taken } = bodyOf(8);
    expect(await readText(stream, 2_500)).toEqual({ ok: false, fault: 'too_large' });
    expect(taken).toEqual({ chunks: 3, ended: false });
    await discardRest(stream, LIMITS);
    expect(taken).toEqual({ chunks: 8, ended: true });
  });

  it('is left where it is longer than any body meant to be read', async () => {
    const { stream, taken } = bodyOf(Number.POSITIVE_INFINITY);
    await discardRest(stream, LIMITS);
    expect(taken.chunks).toBe(10);
  });

  it.each(['hangs', 'breaks'] as const)('does not keep a request waiting when it %s', async (then) => {
    const { stream, taken } = bodyOf(2, then);
    await discardRest(stream, { ...LIMITS, timeoutMs: 20 });
    expect(taken.chunks).toBe(2);
  });

  it('is left alone where another reader has the body, or where no body came', async () => {
    const { stream, taken } = bodyOf(2);
    stream.getReader();
    await discardRest(stream, LIMITS);
    await discardRest(null, LIMITS);
    expect(taken.chunks).toBe(0);
  });
});
