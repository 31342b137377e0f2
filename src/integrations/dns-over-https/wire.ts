import { type Answer, decode, encode, type Packet, RECURSION_DESIRED } from '@leichtgewicht/dns-packet';
import type { DnsAnswer, RecordData, RecordType } from '../../domain/dns/resolve.ts';

/** RFC 2308 §5: one to three hours work well for "no such name" and "no such record"; we take the shortest. */
const NEGATIVE_TTL_MAX_S = 3_600;

/** Resolvers commonly cap positive answers at a day. */
const TTL_MAX_S = 86_400;

const MALFORMED = { kind: 'failed', why: 'malformed' } as const;

type MxData = Extract<Answer, { type: 'MX' }>['data'];

/** Reads the data of each record type. */
const READ: { readonly [T in RecordType]: (data: unknown) => RecordData[T] } = {
  MX: (data) => {
    const { preference = 0, exchange } = data as MxData;
    return { preference, exchange: exchange.toLowerCase() };
  },
  A: (data) => data as string,
  AAAA: (data) => data as string,
};

/** A recursive query for one name and type. Id 0 makes equal questions equal bytes, for HTTP caches (RFC 8484 §4.1). */
export function encodeQuestion(name: string, type: RecordType): Uint8Array {
  return encode({ type: 'query', id: 0, flags: RECURSION_DESIRED, questions: [{ type, name }] });
}

/** RFC 2181 §8: a TTL with the top bit set is read as zero. */
const validTtl = (ttl: number): number => (ttl <= 0x7fffffff ? ttl : 0);

/**
 * RFC 2308 §5: the lesser of the SOA record's TTL and its minimum field. Without an SOA a negative answer is not cached.
 */
function negativeTtlS(packet: Packet): number {
  for (const record of packet.authorities ?? []) {
    if (record.type !== 'SOA') continue;
    const { minimum = 0 } = record.data as { minimum?: number };
    return Math.min(validTtl(record.ttl ?? 0), validTtl(minimum), NEGATIVE_TTL_MAX_S);
  }
  return 0;
}

function decodeWhole(bytes: Uint8Array): Packet | null {
  try {
    const packet = decode(bytes);
    // The decoder reads fixed-size fields past the end of a cut message. It stores the bytes it took on the function.
    return (decode as { bytes?: number }).bytes === bytes.length ? packet : null;
  } catch {
    return null;
  }
}

/**
 * The name at the end of the answer's CNAME chain, and the least TTL on the way. Each link is used once, so a loop ends.
 */
function followAliases(answers: readonly Answer[], name: string): { owner: string; ttlS: number } {
  const aliases = new Map(
    answers.filter(({ type }) => type === 'CNAME').map((alias) => [alias.name.toLowerCase(), alias]),
  );
  let owner = name;
  let ttlS = TTL_MAX_S;
  for (let alias = aliases.get(owner); alias; alias = aliases.get(owner)) {
    aliases.delete(owner);
    ttlS = Math.min(ttlS, validTtl(alias.ttl ?? 0));
    owner = (alias.data as string).toLowerCase();
  }
  return { owner, ttlS };
}

/**
 * Reads a DNS response to the question for `name` (lower case) and `type`. Anything but a whole answer to exactly that
 * question is `malformed`. TTLs are in seconds as sent, capped.
 */
export function decodeAnswer<T extends RecordType>(bytes: Uint8Array, name: string, type: T): DnsAnswer<T> {
  const packet = decodeWhole(bytes);
  if (!packet || packet.type !== 'response' || packet.id !== 0) return MALFORMED;
  // Checked before the question, which a resolver may leave out of an error.
  if (packet.rcode !== 'NOERROR' && packet.rcode !== 'NXDOMAIN') return { kind: 'failed', why: 'servfail' };
  const [question, ...more] = packet.questions ?? [];
  if (question?.name.toLowerCase() !== name || question.type !== type || more.length > 0) return MALFORMED;
  // HTTP does not need truncation, and a part of an RRset must not pass for the whole.
  if (packet.flag_tc) return MALFORMED;

  const answers = packet.answers ?? [];
  const { owner, ttlS } = followAliases(answers, name);
  if (packet.rcode === 'NXDOMAIN') return { kind: 'nxdomain', ttlS: Math.min(ttlS, negativeTtlS(packet)) };
  const found = answers.filter((record) => record.type === type && record.name.toLowerCase() === owner);
  if (found.length === 0) return { kind: 'nodata', ttlS: Math.min(ttlS, negativeTtlS(packet)) };
  return {
    kind: 'records',
    records: found.map((record) => READ[type](record.data)),
    ttlS: Math.min(ttlS, ...found.map((record) => validTtl(record.ttl ?? 0))),
  };
}
