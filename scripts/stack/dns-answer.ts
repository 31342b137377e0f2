import { type Answer, encode, type Packet, type Question, RECURSION_DESIRED } from '@leichtgewicht/dns-packet';
import type { Zone, ZoneName, ZoneRecord } from './dns-zone.ts';

/** Header bits of RFC 1035 §4.1.1 that the packet library leaves to its caller. */
const RECURSION_AVAILABLE = 1 << 7;
const RCODE = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
export type Rcode = keyof typeof RCODE;

/** As long as a "no" may be kept (RFC 2308: the SOA's minimum field). */
const NEGATIVE_TTL_S = 60;

/** A chain of aliases longer than this is a loop. */
const ALIASES_MAX = 8;

const toAnswer = (name: string, ttl: number, record: ZoneRecord): Answer => {
  if (record.type === 'MX') {
    const { preference, exchange } = record;
    return { type: 'MX', name, ttl, data: { preference, exchange } };
  }
  return { type: record.type, name, ttl, data: record.data };
};

const zoneApex = (name: string): string => name.split('.').slice(-2).join('.');

/** A response to `query` with these records; a "no" carries the SOA that tells how long it may be kept. */
export function respond(query: Packet, rcode: Rcode, answers: Answer[] = []): Uint8Array {
  const name = query.questions?.[0]?.name ?? '.';
  const negative = answers.every(({ type }) => type === 'CNAME') && (rcode === 'NOERROR' || rcode === 'NXDOMAIN');
  const soa: Answer = {
    type: 'SOA',
    name: zoneApex(name),
    ttl: NEGATIVE_TTL_S,
    data: {
      mname: 'localhost',
      rname: 'hostmaster.localhost',
      serial: 1,
      refresh: 3600,
      retry: 600,
      expire: 86400,
      minimum: NEGATIVE_TTL_S,
    },
  };
  return encode({
    type: 'response',
    id: query.id ?? 0,
    flags: ((query.flags ?? 0) & RECURSION_DESIRED) | RECURSION_AVAILABLE | RCODE[rcode],
    questions: query.questions ?? [],
    answers,
    authorities: negative ? [soa] : [],
  });
}

/** What a zone answers: the records and code to send, or that the name fails in a way of its own. */
export interface ZoneAnswer {
  readonly rcode: Rcode;
  readonly answers: Answer[];
  readonly fails?: 'silent' | 'malformed';
  readonly delayMs: number;
}

/** Looks a question up in a zone, following aliases inside it. Null when the zone does not hold the name. */
export function lookUp(zone: Zone, { name, type }: Question): ZoneAnswer | null {
  const answers: Answer[] = [];
  let owner = name.toLowerCase();
  let found: ZoneName | null = zone(owner);
  if (!found) return null;
  const { delayMs = 0 } = found;
  for (let aliases = 0; found && aliases < ALIASES_MAX; aliases += 1) {
    const { fails, records, ttlS } = found;
    if (fails === 'silent' || fails === 'malformed') return { rcode: 'NOERROR', answers, fails, delayMs };
    if (fails) return { rcode: fails, answers, delayMs };
    answers.push(...records.filter((record) => record.type === type).map((record) => toAnswer(owner, ttlS, record)));
    const alias = records.find((record) => record.type === 'CNAME');
    if (alias?.type !== 'CNAME' || type === 'CNAME') return { rcode: 'NOERROR', answers, delayMs };
    answers.push(toAnswer(owner, ttlS, alias));
    owner = alias.data;
    found = zone(owner);
  }
  // A loop of aliases, or an alias that leads out of the zone: a resolver gives up with SERVFAIL.
  return { rcode: 'SERVFAIL', answers: [], delayMs };
}
