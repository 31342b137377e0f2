import { SECOND_MS } from '../../kernel/clock.ts';
import { constantTimeEqual, hmacHex } from '../../kernel/keyed-hash.ts';
import type { SignedBody } from '../../kernel/signed-body.ts';

/** An older signature may be a replay; clocks may also be off by as much in the other direction. */
const TOLERANCE_MS = 300 * SECOND_MS;

/**
 * Stripe's scheme v1: HMAC-SHA-256 of `t.body` with the endpoint's secret. While a secret is rolled Stripe signs with
 * both, and either of ours may match. See docs.stripe.com/webhooks, "Verify webhook signatures manually".
 */
export function isSignedByStripe({ headers, body }: SignedBody, secrets: readonly string[], nowMs: number): boolean {
  const parts = (headers['Stripe-Signature'] ?? '').split(',').map((part) => part.trim());
  const [time, ...otherTimes] = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2));
  if (time === undefined || otherTimes.length > 0 || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(nowMs - Number(time) * SECOND_MS) > TOLERANCE_MS) return false;
  const given = parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3));
  const expected = secrets.map((secret) => hmacHex(new TextEncoder().encode(secret), `${time}.${body}`));
  return given.some((each) => expected.some((one) => constantTimeEqual(each, one)));
}
