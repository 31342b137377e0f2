/** Kinds of identifiers. An id never encodes personal data. */
export type IdPrefix =
  | 'vr'
  | 'ck'
  | 'sc'
  | 'dc'
  | 'rq'
  | 'ev'
  | 'oc'
  | 'bj'
  | 'key'
  | 'org'
  | 'acct'
  | 'u'
  | 'dr'
  | 'ar'
  | 'con'
  | 'rec'
  | 'inv'
  | 'au'
  | 'an';

export type Id<P extends IdPrefix> = `${P}_${string}`;

/** Crockford's base32 in lower case (the TypeID alphabet): sorts like the number, without look-alike letters. */
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => void;

const POOL_BYTES = 4_096;
const pool = { bytes: new Uint8Array(0), used: 0 };

/** Draws from a pool, since one system call is dearer than many ids. Bytes given out are overwritten in the pool. */
export const systemRandom: FillRandom = (bytes) => {
  if (bytes.length > POOL_BYTES) return void crypto.getRandomValues(bytes);
  if (pool.used + bytes.length > pool.bytes.length) {
    pool.bytes = crypto.getRandomValues(new Uint8Array(POOL_BYTES));
    pool.used = 0;
  }
  // A loop is several times faster than `set` for so few bytes.
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = pool.bytes[pool.used] ?? 0;
    pool.bytes[pool.used] = 0;
    pool.used += 1;
  }
};

/** A new id: prefix, `_`, then a UUIDv7 (RFC 9562: 48-bit milliseconds, 74 random bits) as 26 base32 characters. */
export function newId<P extends IdPrefix>(prefix: P, nowMs: number, random: FillRandom = systemRandom): Id<P> {
  const bytes = new Uint8Array(16);
  random(bytes);
  return idFromBytes(prefix, stampUuidV7(bytes, nowMs));
}

/** An id within a batch of one millisecond: sorts by `place`, 0 to 4,095 (RFC 9562 §6.2, counter in `rand_a`). */
export function newIdAt<P extends IdPrefix>(
  prefix: P,
  nowMs: number,
  place: number,
  random: FillRandom = systemRandom,
): Id<P> {
  return newId(prefix, nowMs, (bytes) => {
    random(bytes);
    new DataView(bytes.buffer).setUint16(6, place);
  });
}

/** Makes 16 bytes a UUIDv7 by overwriting time, version and variant. */
export function stampUuidV7<B extends Uint8Array>(bytes: B, nowMs: number): B {
  let time = Math.floor(nowMs);
  for (let at = 5; at >= 0; at -= 1) {
    bytes[at] = time % 256;
    time = Math.floor(time / 256);
  }
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}

/** Two digits for each ten bits, which halves the steps. */
const PAIRS = Array.from({ length: 1_024 }, (_, bits) => BASE32.charAt(bits >> 5) + BASE32.charAt(bits & 31));

export function idFromBytes<P extends IdPrefix>(prefix: P, bytes: Uint8Array): Id<P> {
  let suffix = '';
  let held = 0;
  // 26 digits of 5 bits hold two more bits than 16 bytes.
  let bits = 2;
  for (let at = 0; at < bytes.length; at += 1) {
    held = (held << 8) | (bytes[at] ?? 0);
    bits += 8;
    if (bits < 10) continue;
    bits -= 10;
    suffix += PAIRS[held >> bits] ?? '';
    held &= (1 << bits) - 1;
  }
  return `${prefix}_${suffix}`;
}

/** The id's UUID as Postgres writes it: sorts like the id, in 16 bytes. */
export function idToUuid(id: Id<IdPrefix>): string {
  const hex = Buffer.from(idBytes(id)).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export function idFromUuid<P extends IdPrefix>(prefix: P, uuid: string): Id<P> {
  const pairs = uuid.replaceAll('-', '').match(/../g) ?? [];
  return idFromBytes(
    prefix,
    Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)),
  );
}

/** The smallest UUIDv7 of an instant, for range queries. Instants outside 48 bits are clamped. */
export const uuidAt = (ms: number): string => {
  const hex = Math.min(Math.max(0, ms), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

export function idBytes(id: Id<IdPrefix>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(16);
  let held = 0;
  // 26 characters of 5 bits are two more than 128.
  let bits = -2;
  let at = 0;
  for (let i = id.indexOf('_') + 1; i < id.length; i += 1) {
    held = (held << 5) | BASE32.indexOf(id.charAt(i));
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = held >> bits;
    held &= (1 << bits) - 1;
    at += 1;
  }
  return bytes;
}

/** The id if `text` is one with this prefix, else null. */
export function parseId<P extends IdPrefix>(prefix: P, text: string): Id<P> | null {
  const rest = text.slice(prefix.length + 1);
  return text.startsWith(`${prefix}_`) && SUFFIX.test(rest) ? `${prefix}_${rest}` : null;
}

const FORM = /^[a-z]{1,4}_([^_]+)$/;

/** The text if it has the exact form of an id, else null. For logs: any other text may contain an address. */
export const idOrNull = (text: string | null): string | null =>
  text !== null && SUFFIX.test(FORM.exec(text)?.[1] ?? '') ? text : null;

/** The same UUID under another prefix. */
export const siblingId = <P extends IdPrefix>(prefix: P, id: Id<IdPrefix>): Id<P> =>
  `${prefix}_${id.slice(id.indexOf('_') + 1)}`;

/** When the id was made, in epoch milliseconds. */
export function idTimeMs(id: Id<IdPrefix>): number {
  const view = new DataView(idBytes(id).buffer);
  return view.getUint16(0) * 2 ** 32 + view.getUint32(2);
}
