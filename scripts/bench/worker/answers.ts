import type { CheckResult } from '../../../src/contract/check.ts';
import type { Verification } from '../../../src/contract/verification.ts';
import type { TraceRecord } from '../../../src/domain/traces/record.ts';
import { newId } from '../../../src/kernel/ids.ts';

/** What the bare routes answer and hand over: of the size of what the service says about the same address. */

const EMAIL = 'ada.lovelace@d01.bulk.test';
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const [, DOMAIN = ''] = EMAIL.split('@');
const CREATED_AT = Date.UTC(2026, 10, 12);
const SIGNALS = {
  syntax: true,
  mx: true,
  disposable: false,
  role_account: false,
  catch_all: false,
  relay_alias: false,
};

export const PROBE = { addressHash: HASH, domain: DOMAIN };

/** The KV entry the bare routes read: a domain's mail hosts as the service keeps them. */
export const FACT = {
  key: `mail-hosts:v2:${DOMAIN}`,
  value: JSON.stringify({
    expires_at: CREATED_AT,
    mail_hosts: { kind: 'found', hosts: ['mx1.business.test'], implicit: false },
  }),
};

export const CHECK_ANSWER: CheckResult = {
  email: EMAIL,
  domain: DOMAIN,
  passes: true,
  disposable: false,
  suspected: false,
  reason: null,
  reasons: [],
  checks: { syntax: 'pass', mx: 'pass', disposable: 'pass' },
  esp: 'unknown',
  email_type: 'business',
  mx_hosts: ['mx1.business.test'],
  mx_provider: 'unknown',
  latency_ms: 2,
  trace_id: newId('ck', CREATED_AT, () => {}),
};

export const VERIFY_ANSWER: Verification = {
  email: EMAIL,
  verdict: 'likely_valid',
  bounce_probability: 0.071429,
  confidence_interval: [0.012346, 0.234568],
  calibration: 'prior',
  recommendation: 'send',
  actor_class: 'human_mailbox',
  mailbox_type: 'corporate',
  esp: 'unknown',
  email_type: 'business',
  signals: SIGNALS,
  providers: {},
  disagreement: 0,
  cache: { hit: false, ttl_s: 0 },
  cost_usd: 0,
  latency_ms: 3,
  trace_id: newId('vr', CREATED_AT, () => {}),
  reason: null,
  reasons: [],
  identity_hash: HASH,
};

export const TRACE_RECORD: TraceRecord = {
  id: newId('vr', CREATED_AT, () => {}),
  organisationId: newId('org', CREATED_AT, () => {}),
  verificationId: null,
  kind: 'verify',
  mode: 'live',
  keyId: newId('key', CREATED_AT, () => {}),
  createdAt: CREATED_AT,
  addressHash: HASH,
  display: `a•••@${DOMAIN}`,
  domain: DOMAIN,
  meantDomain: null,
  verdict: VERIFY_ANSWER.verdict,
  bounceProbability: VERIFY_ANSWER.bounce_probability,
  recommendation: VERIFY_ANSWER.recommendation,
  reason: null,
  emailType: VERIFY_ANSWER.email_type,
  esp: VERIFY_ANSWER.esp,
  costMicros: 0,
  latencyMs: 3,
  cacheHit: false,
  degraded: false,
  bulkJobId: null,
  policyDecision: null,
  actorClass: VERIFY_ANSWER.actor_class,
  mailboxType: VERIFY_ANSWER.mailbox_type,
  disposable: false,
  roleAccount: false,
  hostClass: 'unknown_business',
  answers: '',
  lnOdds: 0,
  backEnds: null,
  sentTo: null,
  learnt: null,
  detail: {
    confidenceInterval: VERIFY_ANSWER.confidence_interval,
    signals: SIGNALS,
    providers: {},
    providerFailures: [],
    features: {
      model_version: 'seed-1',
      known_answers: [],
      accepts_all_odds: 1,
      host_class: 'unknown_business',
      mx_provider: 'unknown',
      gateway: false,
      disposable_by: null,
      mail_hosts: 'found',
    },
    route: [],
    reasons: [],
    disagreement: 0,
    calibration: 'prior',
    context: {},
  },
};
