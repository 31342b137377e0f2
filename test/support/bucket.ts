interface Stored {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const bytesOf = async (value: unknown): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(value as BodyInit).arrayBuffer());

/** An in-memory R2 bucket with the methods that the service uses, and R2's rules for parts. */
export function createBucket() {
  const stored = new Map<string, Stored>();
  /** Multipart uploads that were begun and neither completed nor aborted. */
  const open = new Set<string>();
  const bucket = {
    async get(key: string, { range }: { range?: { offset: number; length: number } | { suffix: number } } = {}) {
      const found = stored.get(key);
      if (found === undefined) return null;
      const cut = (): [number, number?] =>
        range === undefined ? [0] : 'suffix' in range ? [-range.suffix] : [range.offset, range.offset + range.length];
      const bytes = found.bytes.slice(...cut());
      return {
        size: bytes.length,
        body: new Blob([bytes]).stream(),
        arrayBuffer: async () => bytes.slice().buffer,
      };
    },
    async put(key: string, value: unknown) {
      stored.set(key, { bytes: await bytesOf(value) });
    },
    async delete(keys: string | string[]) {
      for (const key of [keys].flat()) stored.delete(key);
    },
    async list({ prefix, delimiter, limit = 1_000 }: { prefix: string; delimiter?: string; limit?: number }) {
      const keys = [...stored.keys()].filter((key) => key.startsWith(prefix)).sort();
      const cut = (key: string): number => (delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length));
      const entries = [...new Set(keys.map((key) => (cut(key) === -1 ? key : key.slice(0, cut(key) + 1))))];
      const page = entries.slice(0, limit);
      return {
        objects: page.filter((entry) => stored.has(entry)).map((key) => ({ key })),
        delimitedPrefixes: page.filter((entry) => !stored.has(entry)),
        truncated: entries.length > limit,
      };
    },
    async createMultipartUpload(key: string) {
      const parts: Uint8Array[] = [];
      open.add(key);
      return {
        async uploadPart(number: number, value: unknown) {
          parts[number - 1] = await bytesOf(value);
          return { partNumber: number, etag: String(number) };
        },
        async complete() {
          const [first] = parts;
          if (parts.slice(0, -1).some(({ length }) => length !== first?.length || length < 5 * 2 ** 20)) {
            throw new Error('parts of unequal size (10048) or too small (10011)');
          }
          stored.set(key, { bytes: await bytesOf(new Blob(parts)) });
          open.delete(key);
        },
        async abort() {
          open.delete(key);
        },
      };
    },
  };
  return {
    bucket,
    /** Keys of what is stored, or being uploaded, under a prefix. */
    keys: (prefix = '') => [...stored.keys(), ...open].filter((key) => key.startsWith(prefix)),
    bytes: (key: string) => stored.get(key)?.bytes,
  };
}
