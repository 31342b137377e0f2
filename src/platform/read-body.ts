/** Why a body could not be read as text. */
export type BodyFault = 'too_large' | 'not_utf8' | 'interrupted';

/**
 * Reads a request's or response's body as UTF-8, at most `limitBytes`. Counts what really arrives: a missing or lying
 * `Content-Length` changes nothing. What lies beyond the limit is not read.
 */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  limitBytes: number,
): Promise<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: BodyFault }> {
  if (body === null) return { ok: true, text: '' };
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let text = '';
  let length = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.byteLength;
      if (length > limitBytes) {
        void reader.cancel().catch(() => undefined);
        return { ok: false, fault: 'too_large' };
      }
      text += decoder.decode(part.value, { stream: true });
    }
    return { ok: true, text: text + decoder.decode() };
  } catch (error) {
    void reader.cancel().catch(() => undefined);
    // The decoder's own error is a TypeError; a broken connection is anything else.
    return { ok: false, fault: error instanceof TypeError ? 'not_utf8' : 'interrupted' };
  }
}
