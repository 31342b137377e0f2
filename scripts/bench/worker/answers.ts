import type { Verification } from '../../../src/contract/verification.ts';
import { newId } from '../../../src/kernel/ids.ts';

/** What the service says about an address that nothing is known of. */

const EMAIL = 'ada.lovelace@d01.bulk.test';
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const CREATED_AT = Date.UTC(2026, 10, 12);
const SIGNALS = {
  syntax: true,
  mx: true,
  disposable: false,
  role_account: false,
  catch_all: false,
  relay_alias: false,
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
