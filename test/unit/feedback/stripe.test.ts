import { describe, expect, it } from 'vitest';
import { isSignedByStripe, readStripeWebhook } from '../../../src/integrations/stripe.ts';
import { START_MS } from '../../support/records.ts';
import {
  CHARGE,
  CUSTOMER,
  charge,
  dispute,
  invoice,
  item,
  stripeEvent,
  stripeSignature,
  subscription,
} from '../../support/stripe.ts';

const [OLD, NEW, OTHER] = ['whsec_old_secret', 'whsec_new_secret', 'whsec_other_secret'];
const BODY = '{"id":"evt_1", "text":"né"}';
const NOW_S = START_MS / 1000;
const sign = (secrets: readonly string[], timeS = NOW_S, body = BODY) => stripeSignature(body, secrets, timeS);

describe('a signature of Stripe’s', () => {
  const check = (signature: string | null, secrets: readonly string[] = [NEW]) =>
    isSignedByStripe({ headers: { 'Stripe-Signature': signature }, body: BODY }, secrets, START_MS);

  it.each([
    ['under the secret', sign([NEW]), [NEW]],
    ['under two secrets, while Stripe rolls one', sign([OLD, NEW]), [NEW]],
    ['under two secrets, in the other order', sign([NEW, OLD]), [NEW]],
    ['under the secret before, which is still kept', sign([OLD]), [NEW, OLD]],
    ['five minutes old', sign([NEW], NOW_S - 300), [NEW]],
    ['five minutes ahead', sign([NEW], NOW_S + 300), [NEW]],
    ['with spaces', sign([NEW]).replaceAll(',', ', '), [NEW]],
  ])('holds %s', (_, signature, secrets) => {
    expect(check(signature, secrets)).toBe(true);
  });

  it.each([
    ['missing', null],
    ['empty', ''],
    ['under another secret', sign([OTHER])],
    ['of another body', sign([NEW], NOW_S, `${BODY} `)],
    ['too old', sign([NEW], NOW_S - 301)],
    ['too far ahead', sign([NEW], NOW_S + 301)],
    ['with another time than was signed', sign([NEW], NOW_S - 1).replace(`t=${NOW_S - 1}`, `t=${NOW_S}`)],
    ['with two times', `t=${NOW_S},${sign([NEW], NOW_S - 400)}`],
    ['without a time', sign([NEW]).replace(/^t=\d+,/, '')],
    ['of another scheme alone', sign([NEW]).replace('v1=', 'v0=')],
    ['in capitals', sign([NEW]).replace(/v1=([0-9a-f]+)/, (all) => all.toUpperCase().replace('V1', 'v1'))],
    ['cut short', sign([NEW]).slice(0, 40)],
    ['endless', `t=${NOW_S}${',v1='.repeat(10_000)}`],
  ])('does not hold when it is %s', (_, signature) => {
    expect(check(signature)).toBe(false);
  });

  it('does not hold where no secret is set', () => {
    expect(check(sign([NEW]), [])).toBe(false);
  });
});

type Row = [title: string, webhook: object, event: string | null];
const updated = (now: object, previous: object): object =>
  stripeEvent('customer.subscription.updated', subscription(now), { previous });
const items = (...data: object[]) => ({ items: { object: 'list', data } });

const MEANINGS: Row[] = [
  ['the first payment of a subscription', stripeEvent('invoice.paid', invoice()), 'subscribed'],
  ['a free trial’s invoice of nothing', stripeEvent('invoice.paid', invoice({ amount_paid: 0 })), null],
  ['a later payment', stripeEvent('invoice.paid', invoice({ billing_reason: 'subscription_cycle' })), null],
  ['a payment for no subscription', stripeEvent('invoice.paid', invoice({ billing_reason: 'manual' })), null],
  ['the first payment, told again', stripeEvent('invoice.payment_succeeded', invoice()), null],
  ['a subscription that is new', stripeEvent('customer.subscription.created', subscription()), null],
  ['a trial that became paid', updated({}, { status: 'trialing' }), 'subscribed'],
  ['a trial that ended unpaid', updated({ status: 'past_due' }, { status: 'trialing' }), null],
  ['a first payment that went through later', updated({}, { status: 'incomplete' }), null],
  ['a dearer plan', updated(items(item(9_900)), items(item(4_900))), 'upgraded'],
  ['a cheaper plan', updated(items(item(4_900)), items(item(9_900))), null],
  ['more seats', updated(items(item(4_900, 'month', 5)), items(item(4_900, 'month', 4))), 'upgraded'],
  ['an item more', updated(items(item(4_900), item(100)), items(item(4_900))), 'upgraded'],
  ['a yearly plan in place of its monthly one', updated(items(item(9_900, 'year')), items(item(990))), null],
  ['a monthly plan that costs more a year', updated(items(item(990)), items(item(9_900, 'year'))), 'upgraded'],
  ['a price by usage', updated(items({ ...item(0), price: null, plan: null }), items(item(4_900))), null],
  ['something else of a subscription', updated({}, { cancel_at_period_end: false }), null],
  ['an update that says nothing of before', stripeEvent('customer.subscription.updated', subscription()), null],
  ['an older version’s plan', updated({ ...items(item(9_900)) }, { plan: item(4_900).plan }), 'upgraded'],
  [
    'an older version’s quantity',
    updated({ ...items(item(500, 'month', 3)), plan: item(500).plan }, { quantity: 2 }),
    'upgraded',
  ],
  [
    'the end of a subscription',
    stripeEvent('customer.subscription.deleted', subscription({ status: 'canceled' })),
    'churned',
  ],
  ['a refund', stripeEvent('charge.refunded', charge()), 'refunded'],
  ['a refund, told again', stripeEvent('refund.created', { id: 're_1', object: 'refund', charge: CHARGE }), null],
  ['a dispute', stripeEvent('charge.dispute.created', dispute()), 'fraud_flag'],
  ['a dispute that goes on', stripeEvent('charge.dispute.updated', dispute()), null],
  [
    'a warning of fraud',
    stripeEvent('radar.early_fraud_warning.created', {
      id: 'issfr_1',
      object: 'radar.early_fraud_warning',
      charge: CHARGE,
    }),
    'fraud_flag',
  ],
  ['an unknown type', stripeEvent('entitlements.active_entitlement_summary.updated', { object: 'x' }), null],
];

const PEOPLE: [title: string, object: object, email: string | null, references: string[]][] = [
  ['an invoice', invoice(), 'Ada@Business.test', [CUSTOMER]],
  [
    'an invoice with its customer expanded',
    invoice({ customer: { id: CUSTOMER, object: 'customer' } }),
    'Ada@Business.test',
    [CUSTOMER],
  ],
  ['a subscription', subscription(), null, [CUSTOMER]],
  ['a charge', charge(), 'ada@business.test', [CUSTOMER, CHARGE]],
  [
    'a charge of a guest',
    charge({ customer: null, billing_details: { email: null }, receipt_email: 'a@b.test' }),
    'a@b.test',
    [CHARGE],
  ],
  ['a customer', { id: CUSTOMER, object: 'customer', email: 'a@b.test' }, 'a@b.test', [CUSTOMER]],
  [
    'a checkout',
    { object: 'checkout.session', customer: CUSTOMER, customer_details: { email: 'a@b.test' } },
    'a@b.test',
    [CUSTOMER],
  ],
  ['a dispute', dispute(), null, [CHARGE]],
  ['a dispute with evidence', dispute({ evidence: { customer_email_address: 'a@b.test' } }), 'a@b.test', [CHARGE]],
  ['anything else', { object: 'payout', id: 'po_1', customer: CUSTOMER, email: 'a@b.test' }, null, []],
  ['an object with a name of every object', { object: 'constructor' }, null, []],
];

describe('a webhook of Stripe’s', () => {
  it.each(MEANINGS)('means the right thing for %s', (_, webhook, event) => {
    expect(readStripeWebhook(JSON.stringify(webhook))?.event).toBe(event);
  });

  it.each(PEOPLE)('names the person that %s names', (_, object, email, references) => {
    expect(readStripeWebhook(JSON.stringify(stripeEvent('x', object)))).toMatchObject({ email, references });
  });

  it('keeps its id, its time and whether it is Stripe’s test mode', () => {
    const webhook = stripeEvent('x', {}, { created: NOW_S, livemode: false });
    expect(readStripeWebhook(JSON.stringify(webhook))).toMatchObject({
      id: webhook.id,
      createdAt: START_MS,
      mode: 'test',
    });
  });

  it.each(['', 'null', '[]', '7', '{}', '{"id":"evt_1"}', '{"id":"evt_1","type":"x","created":"1"}', '{"id":'])(
    'is not %s',
    (body) => {
      expect(readStripeWebhook(body)).toBeNull();
    },
  );

  it.each(['null', '7', '"x"', '[]', '{}', '{"object":null}', '{"object":[1]}'])(
    'without an object to speak of (%s) means nothing',
    (data) => {
      const body = `{"id":"evt_1","type":"customer.subscription.updated","created":1,"data":${data}}`;
      expect(readStripeWebhook(body)).toMatchObject({ event: null, email: null, references: [] });
    },
  );
});
