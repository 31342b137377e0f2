import { DependencyError } from '../kernel/errors.ts';

/** The used part of an R2 bucket. */
export type Blobs = Pick<R2Bucket, 'get' | 'put' | 'delete' | 'list' | 'createMultipartUpload'>;

/** R2 requires parts of one size, at least 5 MiB. */
const PART_BYTES = 8 * 2 ** 20;

/**
 * Stores a body as it arrives, in parts if its length is unknown. Arriving bytes count against `limitBytes`. The key
 * stays empty unless the result is `stored`.
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
    // The request's length bounds what can arrive, and the caller has checked it against the limit.
    await blobs.put(key, body);
    return 'stored';
  } catch (error) {
    await blobs.delete(key);
    if (isBucketError(error)) throw error;
    return 'interrupted';
  }
}

/** R2's own errors end with a code (`put: We encountered an internal error. Please try again. (10001)`). */
const isBucketError = (error: unknown): boolean =>
  error instanceof Error && (/\(\d{5}\)$/.test(error.message) || isBucketError(error.cause));

async function putParts(
  blobs: Blobs,
  key: string,
  body: ReadableStream<Uint8Array>,
  limitBytes: number,
): Promise<'stored' | 'too_large' | 'interrupted'> {
  const reader = body.getReader();
  const parts = new PartedPut(blobs, key);
  let length = 0;
  let isStored = false;
  try {
    for (;;) {
      const read = await reader.read().catch(() => null);
      if (read === null) return 'interrupted';
      if (read.done) break;
      length += read.value.length;
      if (length > limitBytes) return 'too_large';
      await parts.write(read.value);
    }
    await parts.end();
    isStored = true;
    return 'stored';
  } finally {
    if (!isStored) {
      reader.releaseLock();
      await parts.abort();
    }
  }
}

/** Writes an object of unknown length piece by piece: in parts of one size, or at once if it is small. */
export class PartedPut {
  private readonly part = new Uint8Array(PART_BYTES);
  private readonly parts: R2UploadedPart[] = [];
  private readonly blobs: Blobs;
  private readonly key: string;
  private upload: R2MultipartUpload | null = null;
  private filled = 0;

  constructor(blobs: Blobs, key: string) {
    this.blobs = blobs;
    this.key = key;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      const to = Math.min(bytes.length, from + PART_BYTES - this.filled);
      this.part.set(bytes.subarray(from, to), this.filled);
      this.filled += to - from;
      from = to;
      if (this.filled === PART_BYTES) await this.send();
    }
  }

  async end(): Promise<void> {
    if (this.upload === null) {
      await this.blobs.put(this.key, this.part.subarray(0, this.filled));
      return;
    }
    if (this.filled > 0) await this.send();
    await this.upload.complete(this.parts);
  }

  /** Deletes what was written. */
  async abort(): Promise<void> {
    await this.upload?.abort();
  }

  private async send(): Promise<void> {
    this.upload ??= await this.blobs.createMultipartUpload(this.key);
    this.parts.push(await this.upload.uploadPart(this.parts.length + 1, this.part.subarray(0, this.filled)));
    this.filled = 0;
  }
}

export async function deletePrefix(blobs: Pick<Blobs, 'list' | 'delete'>, prefix: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await blobs.list({ prefix });
    if (objects.length > 0) await blobs.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}

/** The folders directly under a prefix, page by page. */
export async function* listFolders(blobs: Pick<Blobs, 'list'>, prefix: string): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const page = await blobs.list({ prefix, delimiter: '/', ...(cursor === undefined ? {} : { cursor }) });
    yield* page.delimitedPrefixes.map((folder) => folder.slice(prefix.length, -1));
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
}

const BLOCK_BYTES = 2 ** 16;

/** Reads a stored body in blocks that share one buffer. Breaking off cancels the stream. */
async function* readBlocks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader({ mode: 'byob' });
  let buffer = new ArrayBuffer(BLOCK_BYTES);
  try {
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer)).catch((cause: unknown) => {
        throw new DependencyError('r2', 'a stored file broke off', { cause });
      });
      if (done) return;
      yield value;
      buffer = value.buffer;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** A stored file. A missing one is an outage of the bucket, since it existed. */
export async function getFile(blobs: Pick<Blobs, 'get'>, key: string, options?: R2GetOptions): Promise<R2ObjectBody> {
  const found = await blobs.get(key, options);
  if (found === null) throw new DependencyError('r2', 'a stored file is missing');
  return found;
}

/** Its blocks, as `readBlocks`. */
export const openFile = async (blobs: Pick<Blobs, 'get'>, key: string): Promise<AsyncGenerator<Uint8Array, void>> =>
  readBlocks((await getFile(blobs, key)).body);

type Range = { readonly offset: number; readonly length: number } | { readonly suffix: number };
const lengthOf = (range: Range): number => ('suffix' in range ? range.suffix : range.length);

/** The bytes under a key, or a part of them. A missing or shorter file is an outage of the bucket. */
export async function readBytes(blobs: Pick<Blobs, 'get'>, key: string, range?: Range): Promise<ArrayBuffer> {
  const bytes = await (await getFile(blobs, key, range && { range })).arrayBuffer();
  if (range !== undefined && bytes.byteLength !== lengthOf(range))
    throw new DependencyError('r2', 'a stored file is cut off');
  return bytes;
}

/** A stored file's content. One that `decode` can't read (null, or an exception) is an outage of the bucket. */
export async function readDecoded<T>(
  blobs: Pick<Blobs, 'get'>,
  key: string,
  decode: (bytes: ArrayBuffer) => T | null,
): Promise<T> {
  return decoded(await readBytes(blobs, key), decode);
}

/** As `readDecoded`, for bytes. */
export function decoded<Bytes, T>(bytes: Bytes, decode: (bytes: Bytes) => T | null): T {
  const unreadable = (cause?: unknown) => new DependencyError('r2', 'a stored file can’t be read', { cause });
  try {
    const said = decode(bytes);
    if (said !== null) return said;
  } catch (error) {
    throw unreadable(error);
  }
  throw unreadable();
}
