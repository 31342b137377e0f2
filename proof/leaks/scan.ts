import { constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { DIGESTS, digestForms, ENCODINGS } from './forms.ts';

/** The content of one place in a store: a file, a row or a line. */
export interface Held {
  readonly store: string;
  readonly place: string;
  readonly bytes: Uint8Array;
}

/** What must not be found: texts that stand in every marked address or name, and whole addresses by their digests. */
export interface Wanted {
  readonly texts: readonly string[];
  readonly addresses: readonly string[];
}

export interface Found {
  readonly store: string;
  readonly place: string;
  readonly encoding: string;
}

const MAX_INFLATED = 64 * 2 ** 20;
/** As far as a member goes, cut or not. */
const OPTIONS = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_INFLATED };
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);
/** The second byte of a zlib member that begins with 0x78. */
const ZLIB = new Set([0x01, 0x5e, 0x9c, 0xda]);

function tried(inflate: () => Buffer): Buffer[] {
  try {
    const out = inflate();
    return out.length === 0 ? [] : [out];
  } catch {
    return [];
  }
}

/** The compressed members that bytes hold: gzip and zlib wherever one begins, deflate where it is the whole. */
function inflated(bytes: Buffer): Buffer[] {
  const out = tried(() => inflateRawSync(bytes, OPTIONS));
  for (let at = bytes.indexOf(GZIP); at !== -1; at = bytes.indexOf(GZIP, at + 1))
    out.push(...tried(() => gunzipSync(bytes.subarray(at), OPTIONS)));
  for (let at = bytes.indexOf(0x78); at !== -1; at = bytes.indexOf(0x78, at + 1))
    if (ZLIB.has(bytes[at + 1] ?? 0)) out.push(...tried(() => inflateSync(bytes.subarray(at), OPTIONS)));
  return out;
}

/** Without regard to the case of ASCII letters. */
function lowered(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = 0; at < copy.length; at += 1) {
    const byte = copy[at] ?? 0;
    if (byte >= 0x41 && byte <= 0x5a) copy[at] = byte + 0x20;
  }
  return copy;
}

const distinct = (forms: readonly Buffer[]): Buffer[] => [
  ...new Map(forms.map((form) => [form.toString('latin1'), form])).values(),
];

/** Finds the encodings in which bytes contain the marks, including compressed members. */
function scanner({ texts, addresses }: Wanted): (bytes: Uint8Array) => string[] {
  const rows = Object.entries(ENCODINGS).map(([encoding, { forms, isExact = false }]) => {
    const all = texts.flatMap(forms);
    return { encoding, isExact, forms: distinct(isExact ? all : all.map(lowered)) };
  });
  const digests = DIGESTS.map((name) => ({
    encoding: `${name} of the address`,
    isExact: true,
    forms: distinct(addresses.flatMap((address) => digestForms(address, name))),
  }));
  // Plain letters are the same in several encodings: the first of these names them.
  const named = new Set<string>();
  const isNew = (form: Buffer): boolean => {
    const key = form.toString('latin1');
    return !named.has(key) && named.add(key).size > 0;
  };
  const all = [...rows, ...digests].map((row) => Object.assign(row, { forms: row.forms.filter(isNew) }));
  const encodingsIn = (bytes: Buffer): string[] => {
    const low = lowered(bytes);
    return all
      .filter(({ isExact, forms }) => forms.some((form) => (isExact ? bytes : low).includes(form)))
      .map(({ encoding }) => encoding);
  };
  return (given) => {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    const packed = inflated(bytes).flatMap(encodingsIn);
    return [...new Set([...encodingsIn(bytes), ...packed.map((encoding) => `${encoding}, compressed`)])];
  };
}

/** Every find, once per place and encoding. */
export async function scan(
  held: AsyncIterable<Held> | Iterable<Held>,
  wanted: Wanted,
): Promise<{ found: Found[]; bytes: Map<string, number> }> {
  const encodingsIn = scanner(wanted);
  const found = new Map<string, Found>();
  const bytes = new Map<string, number>();
  for await (const each of held) {
    const { store, place } = each;
    bytes.set(store, (bytes.get(store) ?? 0) + each.bytes.byteLength);
    for (const encoding of encodingsIn(each.bytes))
      found.set(`${store} ${place} ${encoding}`, { store, place, encoding });
  }
  return { found: [...found.values()], bytes };
}
