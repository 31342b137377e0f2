import { within } from './clock.ts';

/** Why a body could not be read as text. */
export type BodyFault = 'too_large' | 'not_utf8' | 'interrupted';

type ReadText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: BodyFault };

/** Shared: decoding a whole body leaves no state behind. */
const WHOLE = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** `readText` for a request, in one step where the length is known and small. */
export async function readWhole(request: Request, limitBytes: number): Promise<ReadText> {
  const length = request.headers.get('Content-Length');
  if (length === null || Number(length) > limitBytes) return readText(request.body, limitBytes);
  const bytes = await request.arrayBuffer().catch(() => null);
  if (bytes === null) return { ok: false, fault: 'interrupted' };
  if (bytes.byteLength > limitBytes) return { ok: false, fault: 'too_large' };
  try {
    return { ok: true, text: WHOLE.decode(bytes) };
  } catch {
    return { ok: false, fault: 'not_utf8' };
  }
}

/**
 * Reads a body as UTF-8, up to `limitBytes`. Counts arriving bytes, since `Content-Length` may be missing or wrong.
 * Leaves the rest of an oversized body unread.
 */
export async function readText(body: ReadableStream<Uint8Array> | null, limitBytes: number): Promise<ReadText> {
  if (body === null) return { ok: true, text: '' };
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let text = '';
  let length = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.byteLength;
      if (length > limitBytes) {
        reader.releaseLock();
        return { ok: false, fault: 'too_large' };
      }
      text += decoder.decode(part.value, { stream: true });
    }
    return { ok: true, text: text + decoder.decode() };
  } catch (error) {
    reader.releaseLock();
    // A decoding error is a TypeError; a broken connection is anything else.
    return { ok: false, fault: error instanceof TypeError ? 'not_utf8' : 'interrupted' };
  }
}

/** Reads and drops the rest of a body, within both limits. Never rejects. */
export async function discardRest(
  body: ReadableStream<Uint8Array> | null,
  { limitBytes, timeoutMs }: { readonly limitBytes: number; readonly timeoutMs: number },
): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  const discard = async (): Promise<void> => {
    for (let leftBytes = limitBytes; leftBytes > 0;) leftBytes -= (await reader.read()).value?.byteLength ?? leftBytes;
  };
  // The sender has gone.
  await within(discard(), timeoutMs).catch(() => undefined);
  void reader.cancel().catch(() => undefined);
}
