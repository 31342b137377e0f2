import type { WireForm, WireReply } from './wire/form.ts';

/** A reply, or a fault in its place; each transport (HTTP, virtual time) carries it out. */
export type Delivery =
  | { readonly kind: 'reply'; readonly status: number; readonly headers: Headers; readonly body: string }
  /** The connection ends without any bytes. */
  | { readonly kind: 'reset' }
  /** The connection stays open and silent until a gateway closes it. */
  | { readonly kind: 'silence' }
  /** A 200 reply that sends a byte now and then, for as long. */
  | { readonly kind: 'drip' }
  /** A reply of status 200 of this many bytes. */
  | { readonly kind: 'flood'; readonly bytes: number };

/** How long common gateways wait for an upstream server. */
export const SILENCE_MS = 100_000;

export type Headers = Readonly<Record<string, string>>;

interface Fault {
  readonly delivery: (form: WireForm, ownUrl: string) => Delivery;
  /** Whether a vendor may charge for the unreadable call; the simulator then does. */
  readonly billed: boolean;
}

const JSON_TYPE: Headers = { 'content-type': 'application/json' };

export const replyOf = ({ status, json }: WireReply, headers: Headers = {}): Delivery => ({
  kind: 'reply',
  status,
  headers: {
    ...JSON_TYPE,
    ...headers,
  },
  body: typeof json === 'string' ? json : JSON.stringify(json),
});

const reply =
  (status: number, body: string, headers: Headers = JSON_TYPE): Fault['delivery'] =>
  () => ({ kind: 'reply', status, headers, body });

/** The vendor's full answer without the fault. */
const answerOf = (form: WireForm): string =>
  JSON.stringify(
    form.answer({
      email: 'ada@example.com',
      verdict: 'deliverable',
      acceptsAll: false,
      role: false,
      consumer: false,
      variant: 0,
    }).json,
  );

const FLOOD_BYTES = 10 * 1_024 * 1_024;

/** All faults of a reachable vendor, with the vendor's own error texts. */
export const FAULTS = {
  reset: { delivery: () => ({ kind: 'reset' }), billed: true },
  hang: { delivery: () => ({ kind: 'silence' }), billed: true },
  'slow drip': { delivery: () => ({ kind: 'drip' }), billed: true },
  '10 MB body': { delivery: () => ({ kind: 'flood', bytes: FLOOD_BYTES }), billed: true },
  'server error': { delivery: reply(500, '{"error":"internal"}'), billed: true },
  'rate limit': { delivery: ({ rateLimited }) => replyOf(rateLimited, { 'retry-after': '30' }), billed: false },
  'no credit': { delivery: ({ noCredit }) => replyOf(noCredit), billed: false },
  'bad key': { delivery: ({ badKey }) => replyOf(badKey), billed: false },
  // Hunter's answer about a person who opted out.
  refusal: { delivery: reply(451, '{}'), billed: false },
  garbage: { delivery: reply(200, '<html>Welcome</html>', { 'content-type': 'text/html' }), billed: true },
  'truncated JSON': { delivery: (form) => reply(200, answerOf(form).slice(0, -20))(form, ''), billed: true },
  'wrong schema': { delivery: reply(200, '{"ok":true,"answer":["valid"]}'), billed: true },
  'redirect loop': { delivery: (form, ownUrl) => reply(302, '', { location: ownUrl })(form, ownUrl), billed: false },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

export const faultOf = (name: FaultName): Fault => FAULTS[name];
