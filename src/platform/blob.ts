/** The part of an R2 bucket that is used. */
export type Blobs = Pick<R2Bucket, 'get' | 'put' | 'delete' | 'list' | 'createMultipartUpload'>;

/** R2 takes parts of one size, 5 MiB at least. */
const PART_BYTES = 8 * 2 ** 20;

/**
 * Stores a body as it arrives. One whose length is not known goes up in parts; what counts against `limitBytes` is what
 * really arrives. Nothing is left under the key unless it is `stored`.
 */
export async function putStream(
  blobs: Blobs,
  key: string,
  body: ReadableStream<Uint8Array>,
  isLengthKnown: boolean,
  limitBytes: number,
): Promise<'stored' | 'too_large' | 'interrupted'> {
  if (!isLengthKnown) return putParts(blobs, key, body, limitBytes);
  try {
    // The length is that of the request: no more than it can arrive, and the caller has held it against the limit.
    await blobs.put(key, body);
    return 'stored';
  } catch (error) {
    await blobs.delete(key);
    if (isBucketError(error)) throw error;
    return 'interrupted';
  }
}

/** What R2 itself says ends with its code (`put: We encountered an internal error. Please try again. (10001)`). */
const isBucketError = (error: unknown): boolean => error instanceof Error && /\(\d{5}\)$/.test(error.message);

async function putParts(
  blobs: Blobs,
  key: string,
  body: ReadableStream<Uint8Array>,
  limitBytes: number,
): Promise<'stored' | 'too_large' | 'interrupted'> {
  const reader = body.getReader();
  const part = new Uint8Array(PART_BYTES);
  const parts: R2UploadedPart[] = [];
  let upload: R2MultipartUpload | null = null;
  let filled = 0;
  let length = 0;
  let isStored = false;
  try {
    for (;;) {
      const read = await reader.read().catch(() => null);
      if (read === null) return 'interrupted';
      if (read.done) break;
      length += read.value.length;
      if (length > limitBytes) return 'too_large';
      for (let from = 0; from < read.value.length; ) {
        const to = Math.min(read.value.length, from + PART_BYTES - filled);
        part.set(read.value.subarray(from, to), filled);
        filled += to - from;
        from = to;
        if (filled < PART_BYTES) continue;
        upload ??= await blobs.createMultipartUpload(key);
        parts.push(await upload.uploadPart(parts.length + 1, part));
        filled = 0;
      }
    }
    const rest = part.subarray(0, filled);
    if (upload === null) await blobs.put(key, rest);
    else {
      if (filled > 0) parts.push(await upload.uploadPart(parts.length + 1, rest));
      await upload.complete(parts);
    }
    isStored = true;
    return 'stored';
  } finally {
    if (!isStored) {
      reader.releaseLock();
      await upload?.abort();
    }
  }
}

/** Deletes everything whose key begins so. */
export async function deletePrefix(blobs: Pick<Blobs, 'list' | 'delete'>, prefix: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await blobs.list({ prefix });
    if (objects.length > 0) await blobs.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}

/** Names directly under a prefix that stand for others below them, page by page. */
export async function* listFolders(blobs: Pick<Blobs, 'list'>, prefix: string): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const page = await blobs.list({ prefix, delimiter: '/', ...(cursor === undefined ? {} : { cursor }) });
    yield* page.delimitedPrefixes.map((folder) => folder.slice(prefix.length, -1));
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
}

/** Read at a time. */
const BLOCK_BYTES = 2 ** 16;

/** A stored body block by block, in one buffer for all: each is good until the next is asked for. Whoever breaks off cancels it. */
export async function* readBlocks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader({ mode: 'byob' });
  let buffer = new ArrayBuffer(BLOCK_BYTES);
  try {
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) return;
      yield value;
      buffer = value.buffer;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** The bytes under a key, or a stretch of them. Throws where there are none. */
export async function readBytes(
  blobs: Pick<Blobs, 'get'>,
  key: string,
  range?: { readonly offset: number; readonly length: number },
): Promise<ArrayBuffer> {
  const found = await blobs.get(key, range === undefined ? {} : { range });
  if (found === null) throw new Error('a stored file is missing');
  return found.arrayBuffer();
}
