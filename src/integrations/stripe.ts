import type { KeyMode } from '../domain/access/keys.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import { constantTimeEqual, hmacHex, type SignedBody } from '../kernel/crypto.ts';
import { parseJson } from './exchange.ts';

/** An older signature may be a replay; clocks may differ by as much. */
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

/** A Stripe object of any API version. */
export type Json = Readonly<Record<string, unknown>> | null | undefined;

const at = (value: Json, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : null),
    value,
  );

/** The text at a path; the id, if Stripe expanded an object there. */
function textAt(value: Json, ...path: string[]): string | null {
  const found = at(value, path);
  const text = typeof found === 'object' && found !== null ? (found as { id?: unknown }).id : found;
  return typeof text === 'string' && text !== '' ? text : null;
}

function numberAt(value: Json, ...path: string[]): number | null {
  const found = at(value, path);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

const PER_YEAR: Readonly<Record<string, number>> = { day: 365, week: 365 / 7, month: 12, year: 1 };

/** An item's yearly cost in its currency's smallest unit; null for a price that is not fixed (usage, tiers). */
function itemAmount(item: Json): number | null {
  const unit = numberAt(item, 'price', 'unit_amount') ?? numberAt(item, 'plan', 'amount');
  const every = textAt(item, 'price', 'recurring', 'interval') ?? textAt(item, 'plan', 'interval') ?? '';
  const count = numberAt(item, 'price', 'recurring', 'interval_count') ?? numberAt(item, 'plan', 'interval_count') ?? 1;
  const perYear = PER_YEAR[every];
  if (unit === null || perYear === undefined || count <= 0) return null;
  return (unit * (numberAt(item, 'quantity') ?? 1) * perYear) / count;
}

/** The sum of a subscription's items; null if the price of one is not fixed. */
function yearlyAmount(subscription: Json): number | null {
  const items = at(subscription, ['items', 'data']);
  if (!Array.isArray(items) || items.length === 0) return null;
  return items.reduce<number | null>((sum, item) => {
    const amount = itemAmount(item as Json);
    return sum === null || amount === null ? null : sum + amount;
  }, 0);
}

/**
 * The sum before an update, from `previous_attributes`: the earlier items or, in API versions before 2019, `plan` and
 * `quantity` of the only item. Null if these did not change.
 */
function yearlyAmountBefore(now: Json, before: Json): number | null {
  const items = yearlyAmount(before);
  if (items !== null) return items;
  const [plan, quantity] = [at(before, ['plan']), at(before, ['quantity'])];
  if ((plan ?? quantity ?? null) === null) return null;
  return itemAmount({ plan: plan ?? at(now, ['plan']), quantity: quantity ?? at(now, ['quantity']) });
}

/** What we store of a webhook. Times in epoch milliseconds. */
export interface ProcessorReport {
  /** `evt_…`, stable across deliveries. */
  readonly id: string;
  readonly createdAt: number;
  readonly mode: KeyMode;
  /** The signup's event, or null; the webhook may still link a customer id to an address. */
  readonly event: string | null;
  /** The address as typed; hashed at once. */
  readonly email: string | null;
  /** Ids (`cus_`, `ch_`) that lead to the customer if the webhook lacks an address. */
  readonly references: readonly string[];
}

interface MeaningRow {
  readonly type: string;
  readonly event: string;
  readonly when?: (object: Json, before: Json) => boolean;
  readonly reason: string;
}

/** The first matching row decides; other webhooks have no meaning for us. */
const MEANINGS: readonly MeaningRow[] = [
  {
    type: 'invoice.paid',
    event: 'subscribed',
    when: (invoice) =>
      textAt(invoice, 'billing_reason') === 'subscription_create' && (numberAt(invoice, 'amount_paid') ?? 0) > 0,
    reason: 'the first payment; `invoice.payment_succeeded` and `customer.subscription.created` tell it again',
  },
  {
    type: 'customer.subscription.updated',
    event: 'subscribed',
    when: (now, before) => textAt(before, 'status') === 'trialing' && textAt(now, 'status') === 'active',
    reason: 'a trial that became paid: its invoice is a `subscription_cycle` like every later one',
  },
  {
    type: 'customer.subscription.updated',
    event: 'upgraded',
    when: (now, before) => (yearlyAmount(now) ?? 0) > (yearlyAmountBefore(now, before) ?? Number.POSITIVE_INFINITY),
    reason: 'costs more a year than before; a yearly plan with a discount is not an upgrade from its monthly one',
  },
  { type: 'customer.subscription.deleted', event: 'churned', reason: 'the subscription has ended' },
  {
    type: 'charge.refunded',
    event: 'refunded',
    reason: 'whole or in part; `refund.created` and `charge.refund.updated` tell it again, without an address',
  },
  { type: 'charge.dispute.created', event: 'fraud_flag', reason: 'the cardholder disputes the charge' },
  { type: 'radar.early_fraud_warning.created', event: 'fraud_flag', reason: 'the card’s issuer reports fraud' },
];

/** Where an object has an address, and the ids of its owner in other objects. */
interface PeopleRow {
  readonly emails: readonly (readonly string[])[];
  readonly references: readonly (readonly string[])[];
}

/** By the `object` field; other kinds don't name a customer. A subscription has only a customer id. */
const PEOPLE: Readonly<Record<string, PeopleRow>> = {
  invoice: { emails: [['customer_email']], references: [['customer']] },
  customer: { emails: [['email']], references: [['id']] },
  subscription: { emails: [], references: [['customer']] },
  charge: { emails: [['billing_details', 'email'], ['receipt_email']], references: [['customer'], ['id']] },
  'checkout.session': { emails: [['customer_details', 'email'], ['customer_email']], references: [['customer']] },
  // A dispute does not name the customer; the charge leads to one.
  dispute: { emails: [['evidence', 'customer_email_address']], references: [['charge']] },
  'radar.early_fraud_warning': { emails: [], references: [['charge']] },
};

/** Null if the webhook is not Stripe's. */
export function readStripeWebhook(body: string): ProcessorReport | null {
  const webhook = parseJson(body) as Json;
  const [id, type, created] = [textAt(webhook, 'id'), textAt(webhook, 'type'), numberAt(webhook, 'created')];
  if (id === null || type === null || created === null) return null;
  const object: Json = ['data', 'object'].reduce<Json>((value, name) => value?.[name] as Json, webhook);
  const before = (webhook?.data as Json)?.previous_attributes as Json;
  const meaning = MEANINGS.find((row) => row.type === type && (row.when?.(object, before) ?? true));
  const people = PEOPLE[textAt(object, 'object') ?? ''];
  const texts = (paths: readonly (readonly string[])[] = []) => paths.flatMap((path) => textAt(object, ...path) ?? []);
  return {
    id,
    createdAt: Math.round(created * SECOND_MS),
    mode: webhook?.livemode === true ? 'live' : 'test',
    event: meaning?.event ?? null,
    email: texts(people?.emails)[0] ?? null,
    references: texts(people?.references),
  };
}
