import { type Answer, encode, type Packet } from '@leichtgewicht/dns-packet';
import type { RecordType } from '../../../src/domain/dns/resolve.ts';

export const RCODE = { formerr: 1, servfail: 2, nxdomain: 3, refused: 5 } as const;

export const mx = (name: string, preference: number, exchange: string, ttl = 300): Answer => ({
  type: 'MX',
  name,
  ttl,
  data: { preference, exchange },
});
export const address = (type: 'A' | 'AAAA', name: string, data: string, ttl = 300): Answer => ({
  type,
  name,
  ttl,
  data,
});
export const cname = (name: string, target: string, ttl = 300): Answer => ({ type: 'CNAME', name, ttl, data: target });
export const soa = (name: string, ttl: number, minimum: number): Answer => ({
  type: 'SOA',
  name,
  ttl,
  data: { mname: `ns.${name}`, rname: `hostmaster.${name}`, minimum },
});

/** The wire form of a response to one question; `flags` holds the rcode too. */
export function response(name: string, type: RecordType, parts: Packet = {}): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encode({ type: 'response', id: 0, questions: [{ name, type }], ...parts }));
}

export function httpAnswer(message: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Response {
  return new Response(message, { headers: { 'content-type': 'application/dns-message', ...headers } });
}
