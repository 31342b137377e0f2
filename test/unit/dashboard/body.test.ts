import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../dashboard/worker/answers.ts';
import { readBody, readTexts } from '../../../dashboard/worker/body.ts';

const sent = (body: BodyInit | null): Request =>
  new Request('https://dashboard.test/auth/link', { method: 'POST', body, ...({ duplex: 'half' } as object) });

describe('a body', () => {
  it('is read as UTF-8, wherever its pieces are cut', async () => {
    const bytes = new TextEncoder().encode('{"name":"Zoë"}');
    const pieces = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await readTexts(sent(pieces), ['name'])).toEqual({ name: 'Zoë' });
    expect(await readBody(sent(null), 10)).toBe('');
  });

  it('is refused once it is too large, though it never ends, and read no further', async () => {
    let pieces = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pieces += 1;
        controller.enqueue(new Uint8Array(1_024));
      },
    });
    await expect(readTexts(sent(endless), ['email'])).rejects.toThrow(Refusal);
    expect(pieces).toBeLessThan(12);
  });

  it.each([
    ['no JSON', '{'],
    ['a number for a text', '{"email":1}'],
  ])('is refused: %s', async (_, body) => {
    await expect(readTexts(sent(body), ['email'])).rejects.toThrow(Refusal);
  });
});
