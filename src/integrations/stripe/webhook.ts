import type { KeyMode } from '../../domain/access/keys.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { type Json, numberAt, textAt, yearlyAmount, yearlyAmountBefore } from './objects.ts';

/** What we keep of a webhook. Times in epoch milliseconds. */
export interface ProcessorReport {
  /** `evt_…`: the same however often it is delivered. */
  readonly id: string;
  readonly createdAt: number;
  readonly mode: KeyMode;
  /** The event it means for the signup; null: none, but it may still link a customer id to an address. */
  readonly event: string | null;
  /** The address as the customer typed it; it is hashed at once. */
  readonly email: string | null;
  /** Ids (`cus_`, `ch_`) that lead to the customer where the webhook lacks an address. */
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

/** Where an object names an address, and the ids that stand for its owner in other objects. */
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

/** Reads a webhook; null when it is not Stripe's. */
export function readStripeWebhook(body: string): ProcessorReport | null {
  const webhook = parse(body);
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

function parse(body: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return null;
  }
}
