import { randomBytes } from 'node:crypto';
import { type KeyRecord, NEVER_ROTATED } from '../../src/domain/access/keys.ts';
import type { RowKind } from '../../src/domain/bulk/results/row-result.ts';
import type { OrganisationSettings } from '../../src/domain/metering/organisation-settings.ts';
import { DEFAULT_LIMITS } from '../../src/domain/metering/usage.ts';
import type { TraceDetail, TraceRecord } from '../../src/domain/traces/traces.ts';
import { epochSeconds } from '../../src/kernel/clock.ts';
import { newId, siblingId } from '../../src/kernel/ids.ts';

/** A Thursday, 15 seconds into a minute: service time in tests unless they move it. */
export const START_MS = Date.UTC(2026, 10, 12, 10, 0, 15);

/** Records as the product itself would write them, each with ids of its own; a test names only what it is about. */
export const settingsRecord = (change: Partial<OrganisationSettings> = {}): OrganisationSettings => ({
  id: newId('org', START_MS),
  accountId: newId('acct', START_MS),
  name: 'Acme',
  limits: DEFAULT_LIMITS,
  privacy: null,
  alerts: null,
  secondFactor: false,
  createdAt: START_MS,
  version: 1,
  ...change,
});

export const keyRecord = (change: Partial<KeyRecord> = {}): KeyRecord => ({
  id: newId('key', START_MS),
  hash: randomBytes(32).toString('hex'),
  last4: 'x4Zk',
  name: 'a key',
  role: 'member',
  mode: 'live',
  origin: 'auto',
  operator: false,
  userId: null,
  secretVersion: 'Q',
  createdAt: START_MS,
  createdBy: 'operator',
  expiresAt: null,
  ...NEVER_ROTATED,
  revokedAt: null,
  ...change,
});

export const TRACE_DETAIL: TraceDetail = {
  confidenceInterval: [0.01, 0.2],
  signals: { syntax: true, mx: true, disposable: false, role_account: false, catch_all: false, relay_alias: false },
  providers: {},
  providerFailures: [],
  features: {
    model_version: '1',
    known_answers: [],
    accepts_all_odds: 1,
    host_class: 'google_business',
    mx_provider: 'google',
    gateway: false,
    disposable_by: null,
    mail_hosts: 'found',
    known_outcomes: [],
    x: [],
    t0: epochSeconds(START_MS),
    neighbours: { accepts_all: 0.1, dead_strict: 0.05, dead_accepts_all: 0.1, var: 1 },
    groups: null,
    losses: { version: 0, bounce: 1, contact_lost: 3, held_good: 0.1, held_bad: 0.4 },
  },
  route: [],
  reasons: [],
  disagreement: 0,
  calibration: 'prior',
  context: { purpose: 'signup' },
};

export const traceRecord = (change: Partial<TraceRecord> = {}): TraceRecord => ({
  id: newId('vr', START_MS),
  organisationId: newId('org', START_MS),
  verificationId: null,
  kind: 'verify',
  mode: 'live',
  keyId: newId('key', START_MS),
  createdAt: START_MS,
  addressHash: randomBytes(32).toString('hex'),
  display: 'j•••@acme.example',
  domain: 'acme.example',
  meantDomain: null,
  verdict: 'likely_valid',
  bounceProbability: 0.0625,
  recommendation: 'send',
  reason: null,
  emailType: 'business',
  esp: 'hosted_suite_a',
  costMicros: 4_000,
  latencyMs: 87,
  cacheHit: false,
  degraded: false,
  bulkJobId: null,
  policyDecision: null,
  actorClass: 'human_mailbox',
  mailboxType: 'corporate',
  disposable: false,
  roleAccount: false,
  hostClass: 'google_business',
  backEnds: null,
  sentTo: '',
  observation: null,
  detail: TRACE_DETAIL,
  ...change,
});

/** A decision with the verification inside it. */
export function decisionRecord(change: Partial<TraceRecord> = {}): TraceRecord {
  const record = traceRecord({ id: newId('dc', START_MS), kind: 'decide', ...change });
  return { ...record, verificationId: siblingId('vr', record.id) };
}

/** The result of a checked row. */
export const CHECKED_ROW: Extract<RowKind, { status: 'ok' }> = {
  status: 'ok',
  verdict: 'valid',
  bounceProbability: 0.01,
  recommendation: 'send',
  reason: null,
  emailType: 'business',
  esp: 'unknown',
  mailboxType: 'corporate',
  actorClass: 'human_mailbox',
  disposable: false,
  roleAccount: false,
  catchAll: false,
  relayAlias: false,
  meantDomain: null,
  basis: 'local',
  warning: null,
  decision: null,
};
