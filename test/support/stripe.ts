import { createHmac } from 'node:crypto';

/** A webhook in Stripe's form, reduced to the fields near those that are read. */
export function stripeEvent(type: string, object: object, change: { previous?: object; [name: string]: unknown } = {}) {
  const { previous, ...rest } = change;
  return {
    id: 'evt_1SVC8JHOQNg4XnOM2WgGoBj8',
    object: 'event',
    api_version: '2025-08-27.basil',
    created: Math.floor(Date.now() / 1000),
    data: { object, ...(previous === undefined ? {} : { previous_attributes: previous }) },
    livemode: true,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    ...rest,
  };
}

export const CUSTOMER = 'cus_TS6KX04w045BN9';
export const CHARGE = 'ch_3SVC87HOQNg4XnOM0qrs9Tuv';

export const invoice = (change: object = {}) => ({
  id: 'in_1SVC87HOQNg4XnOMdHAlqDva',
  object: 'invoice',
  amount_due: 2990,
  amount_paid: 2990,
  attempt_count: 0,
  billing_reason: 'subscription_create',
  currency: 'usd',
  customer: CUSTOMER,
  customer_name: 'Ada Lovelace',
  customer_email: 'Ada@Business.test',
  paid: true,
  status: 'paid',
  total: 2990,
  ...change,
});

export const item = (amount: number, interval = 'month', quantity = 1) => ({
  id: 'si_Nc4kEcMHd3vRTS',
  object: 'subscription_item',
  quantity,
  plan: { id: 'price_1', object: 'plan', amount, interval, interval_count: 1 },
  price: { id: 'price_1', object: 'price', unit_amount: amount, recurring: { interval, interval_count: 1 } },
});

export const subscription = (change: object = {}) => ({
  id: 'sub_1Mqqb6Lt4dXK03v50OA219Ya',
  object: 'subscription',
  customer: CUSTOMER,
  status: 'active',
  items: { object: 'list', data: [item(4_242)] },
  ...change,
});

export const charge = (change: object = {}) => ({
  id: CHARGE,
  object: 'charge',
  amount: 2990,
  amount_refunded: 2990,
  customer: CUSTOMER,
  receipt_email: null,
  billing_details: { address: null, email: 'ada@business.test', name: 'Ada Lovelace', phone: null },
  ...change,
});

export const dispute = (change: object = {}) => ({
  id: 'dp_1',
  object: 'dispute',
  amount: 2990,
  charge: CHARGE,
  reason: 'fraudulent',
  status: 'needs_response',
  evidence: { customer_email_address: null, customer_name: null },
  ...change,
});

/** Stripe's signature, by its documentation: each secret signs `t.body`. */
export function stripeSignature(
  body: string,
  secrets: readonly string[],
  timeS = Math.floor(Date.now() / 1000),
): string {
  const signed = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${timeS}.${body}`).digest('hex')}`);
  return [`t=${timeS}`, ...signed, 'v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39'].join(',');
}
