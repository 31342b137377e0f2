import { faker } from '@faker-js/faker';
import type { Decision } from '../../src/contract/policy.ts';
import type { Likelihoods } from '../../src/domain/belief/evidence-table.ts';
import type { DeliveryClass, DeliveryReport } from '../../src/domain/belief/facts.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import type { EventBatch, WaitingOutcome } from '../../src/domain/feedback/outcomes.ts';
import type { TraceRecord } from '../../src/domain/traces/traces.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { idToUuid, newId } from '../../src/kernel/ids.ts';
import type { OutboxRow } from '../../src/storage/postgres/projection.ts';
import type { DemoAccount } from './account.ts';
import { truthOf } from './truth.ts';
import type { DemoPerson } from './world.ts';

const chance = (share: number): boolean => faker.number.float() < share;

/** Signups at weekends beside those of a weekday, and growth over the whole time. */
const WEEKEND = 0.35;
const GROWTH = 0.9;

/** The times of calls, oldest first: weekdays and office hours have the most. */
export function drawTimes(count: number, fromMs: number, nowMs: number): number[] {
  const weightAt = (ms: number): number => {
    const day = new Date(ms).getUTCDay();
    const hour = (ms % DAY_MS) / HOUR_MS;
    const daytime = 0.25 + Math.max(0, Math.sin(((hour - 5) / 16) * Math.PI));
    return (day === 0 || day === 6 ? WEEKEND : 1) * daytime * (1 + (GROWTH * (ms - fromMs)) / (nowMs - fromMs));
  };
  const times: number[] = [];
  while (times.length < count) {
    const at = faker.number.int({ min: fromMs, max: nowMs - MINUTE_MS });
    if (faker.number.float() * 2.5 < weightAt(at)) times.push(at);
  }
  return times.sort((one, other) => one - other);
}

/** Share of messages whose fate is reported, and of which bounces are reported as such by the service that sent them. */
const REPORTED = 0.72;
/** A report of each class, as a sender's webhook words it. */
const WORDED: Readonly<Record<DeliveryClass, Pick<WaitingOutcome, 'outcome' | 'basicCode' | 'enhancedCode'>>> = {
  user_unknown: { outcome: 'hard_bounce', basicCode: '550', enhancedCode: '5.1.1' },
  refused: { outcome: 'hard_bounce', basicCode: '550', enhancedCode: '5.5.0' },
  full: { outcome: 'hard_bounce', basicCode: '552', enhancedCode: '5.2.2' },
  soft: { outcome: 'soft_bounce', basicCode: '451', enhancedCode: '4.4.1' },
  delivered: { outcome: 'delivered', basicCode: null, enhancedCode: null },
  complaint: { outcome: 'complaint', basicCode: null, enhancedCode: null },
};

/** What is reported of mail that bounces, or lands: reports err as the model expects them to. */
function drawClass(bounces: boolean): DeliveryClass {
  const rates = Object.entries(MODEL.evidence.reports) as [DeliveryClass, Likelihoods][];
  return faker.helpers.weightedArrayElement(
    rates.map(([value, { bounces: bounced, lands }]) => ({ value, weight: bounces ? bounced : lands })),
  );
}

/** What became of the message to a person, if it is reported by now. */
export function drawOutcome(
  { settings, keys }: DemoAccount,
  record: TraceRecord,
  person: DemoPerson,
  nowMs: number,
): { readonly row: OutboxRow; readonly report: DeliveryReport } | null {
  const at = record.createdAt + faker.number.int({ min: 10 * MINUTE_MS, max: 30 * HOUR_MS });
  const isSent = record.recommendation !== 'drop' && record.policyDecision?.decision !== 'deny';
  if (!isSent || at >= nowMs || !chance(REPORTED)) return null;
  const kind = drawClass(truthOf(person).bounces);
  const traceId = record.verificationId ?? record.id;
  const report = { class: kind, at, of: traceId, source: record.keyId ?? keys.crm.id };
  const waiting: WaitingOutcome = {
    id: newId('oc', at),
    organisationId: settings.id,
    mode: 'live',
    traceId,
    keyId: record.keyId,
    ...WORDED[kind],
    class: kind,
    unread: false,
    reportedAt: at,
    delivery: { ...report, addressHash: record.addressHash },
  };
  return { row: { seq: 0, kind: 'outcome', id: traceId, record: JSON.stringify(waiting), at }, report };
}

/** How many of each plan go on to pay, and what moves that. */
const PAY: Readonly<Record<DemoPerson['plan'], number>> = { free: 0.05, team: 0.14, enterprise: 0.22 };
const ADS = 0.45;
const FREE_MAILBOX = 0.6;
const GUIDED = 1.35;
/** Who is sent to confirm the address, or is looked at first, comes back less often. */
const COMES_THROUGH: Readonly<Record<Decision, number>> = {
  allow: 0.92,
  allow_with_flow: 0.93,
  challenge: 0.7,
  review: 0.55,
  deny: 0,
};

/** What a signup went on to do by now. */
export function drawEvents(
  { settings }: DemoAccount,
  record: TraceRecord,
  person: DemoPerson,
  nowMs: number,
): OutboxRow[] {
  const made = record.policyDecision;
  if (made === null) return [];
  const { bounces } = truthOf(person);
  const events: { readonly event: string; readonly at: number }[] = [];
  const after = (event: string, share: number, least: number, most: number): boolean => {
    if (!chance(share)) return false;
    events.push({ event, at: record.createdAt + faker.number.int({ min: least, max: most }) });
    return true;
  };
  if (after('signup_completed', bounces ? 0.1 : COMES_THROUGH[made.decision], MINUTE_MS, HOUR_MS)) {
    const isFree = record.emailType === 'free';
    const pays =
      PAY[person.plan] *
      (person.source === 'ads' ? ADS : 1) *
      (isFree ? FREE_MAILBOX : 1) *
      (made.rule_id === 'tour-team' ? GUIDED : 1);
    after('activated', 0.45 + pays, HOUR_MS, 5 * DAY_MS);
    if (after('subscribed', pays, DAY_MS, 16 * DAY_MS)) after('churned', 0.12, 25 * DAY_MS, 60 * DAY_MS);
    after('support_ticket', 0.06, DAY_MS, 20 * DAY_MS);
    after('fraud_flag', isFree ? 0.012 : 0.002, DAY_MS, 12 * DAY_MS);
  }
  return events
    .filter(({ at }) => at < nowMs)
    .map(({ event, at }) => {
      const id = newId('ev', at);
      const batch: EventBatch = {
        organisationId: settings.id,
        mode: 'live',
        source: 'api',
        createdAt: at,
        events: [{ id, event, at, traceId: idToUuid(record.id), properties: null }],
      };
      return { seq: 0, kind: 'event', id, record: JSON.stringify(batch), at } as const;
    });
}
