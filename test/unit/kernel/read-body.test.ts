import { describe, expect, it } from 'vitest';
import { discardRest, readText, readWhole } from '../../../src/kernel/read-body.ts';

const CHUNK = new Uint8Array(1_000).fill(97);
const LIMITS = { limitBytes: 10_000, timeoutMs: 1_000 };

/** A body of this many chunks that counts how many were read. */
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

  it('is left unread where it is longer than any body', async () => {
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

describe('a whole body', () => {
  const request = (body: BodyInit, length: string | null) =>
    new Request('https://service.test', {
      method: 'POST',
      body,
      ...(length !== null && { headers: { 'content-length': length } }),
    });

  it.each([
    ['of a known length', '{"a":1}', '7', { ok: true, text: '{"a":1}' }],
    ['of an unknown length', '{"a":1}', null, { ok: true, text: '{"a":1}' }],
    ['that says it is too long', '{"a":1}', '11', { ok: true, text: '{"a":1}' }],
    ['longer than it says', 'x'.repeat(11), '7', { ok: false, fault: 'too_large' }],
    ['of a length that is no number', 'x'.repeat(11), 'seven', { ok: false, fault: 'too_large' }],
    ['with a byte-order mark', '\ufeff{}', '5', { ok: true, text: '{}' }],
    ['that is no UTF-8', Uint8Array.of(0xff), '1', { ok: false, fault: 'not_utf8' }],
  ] as const)('%s is read as any other', async (_, body, length, read) => {
    expect(await readWhole(request(body, length), 10)).toEqual(read);
    expect(await readText(request(body, length).body, 10)).toEqual(read);
  });

  it('is recognised as cut when it ends early', async () => {
    const broken = () =>
      new Request('https://service.test', {
        method: 'POST',
        body: bodyOf(2, 'breaks').stream,
        headers: { 'content-length': '9' },
        duplex: 'half',
      } as RequestInit);
    expect(await readWhole(broken(), 10_000)).toEqual({ ok: false, fault: 'interrupted' });
    expect(await readText(broken().body, 10_000)).toEqual({ ok: false, fault: 'interrupted' });
  });
});
