import { randomBytes } from 'node:crypto';
import type { PolicyDocument } from '../../src/contract/policy.ts';
import {
  type KeyRecord,
  type KeySecret,
  NEVER_ROTATED,
  type Role,
  issueKey,
  keyVersion,
} from '../../src/domain/access/keys.ts';
import type { OrganisationSettings } from '../../src/domain/metering/organisation-settings.ts';
import { DEFAULT_LIMITS } from '../../src/domain/metering/usage.ts';
import { DEFAULT_POLICY, DEFAULT_SLUG, type ProjectedPolicy } from '../../src/domain/policy/document.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { sha256Hex } from '../../src/kernel/crypto.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';

/** The organisation of a demo as its object would have projected it. */
export interface DemoAccount {
  readonly settings: OrganisationSettings;
  readonly keys: Readonly<Record<'signup' | 'crm' | 'lists', DemoKey>>;
  /** The keys themselves. */
  readonly secrets: Readonly<Record<'signup' | 'crm' | 'lists', string>>;
  /** Every version, oldest first. */
  readonly policies: readonly ProjectedPolicy[];
  /** The version in force at a time. */
  policyAt(ms: number): ProjectedPolicy;
}

export type DemoKey = KeyRecord & { readonly organisationId: Id<'org'> };

/** Saved after the first weeks, with what the product team had learned. */
const SECOND: PolicyDocument = {
  ...DEFAULT_POLICY,
  rules: [
    ...DEFAULT_POLICY.rules.slice(0, 5),
    {
      id: 'free-enterprise',
      description: 'A free mailbox on the enterprise plan.',
      when: {
        all: [
          { path: 'verification.email_type', op: 'eq', value: 'free' },
          { path: 'attributes.plan', op: 'eq', value: 'enterprise' },
        ],
      },
      decision: 'review',
    },
    {
      id: 'large-company',
      description: 'A company that sales wants to talk to.',
      when: { path: 'company.employees_range', op: 'in', value: ['1001-5000', '5001-10000', '10001+'] },
      decision: 'allow_with_flow',
      flow: 'book-a-call',
    },
    ...DEFAULT_POLICY.rules.slice(5),
  ],
};

/** The same with two experiments. */
const THIRD: PolicyDocument = {
  ...SECOND,
  rules: [
    ...SECOND.rules.slice(0, 5),
    {
      id: 'confirm-ads',
      description: 'A free mailbox that came by an advertisement confirms its address first.',
      when: {
        all: [
          { path: 'verification.email_type', op: 'eq', value: 'free' },
          { path: 'attributes.source', op: 'eq', value: 'ads' },
        ],
      },
      decision: 'challenge',
      experiment: { id: 'confirm-ads', weight: 40, min_sample: 200, guardrails: ['activated', 'support_ticket'] },
    },
    {
      id: 'tour-team',
      description: 'People of the team plan see the guided tour.',
      when: { path: 'attributes.plan', op: 'eq', value: 'team' },
      decision: 'allow_with_flow',
      flow: 'guided-tour',
      experiment: { id: 'guided-tour', weight: 50, min_sample: 400, guardrails: ['support_ticket'] },
    },
    ...SECOND.rules.slice(5),
  ],
};

/** Days before the end. */
const SAVED = [
  { document: DEFAULT_POLICY, daysAgo: null },
  { document: SECOND, daysAgo: 68 },
  { document: THIRD, daysAgo: 47 },
] as const;

interface DemoOwner {
  /** The person who made its keys and saved its policies. */
  readonly userId: Id<'u'>;
  /** The stack's own, which signs keys. */
  readonly keySecret: KeySecret;
}

export function drawAccount(fromMs: number, nowMs: number, { userId, keySecret }: DemoOwner): DemoAccount {
  const id = newId('org', fromMs);
  const settings: OrganisationSettings = {
    id,
    accountId: newId('acct', fromMs),
    name: 'Northwind (demo)',
    limits: { ...DEFAULT_LIMITS, verificationQuota: 10_000, providerBudgetMicros: 50_000_000 },
    privacy: null,
    alerts: null,
    secondFactor: false,
    createdAt: fromMs,
    version: 1,
  };
  const claims = { organisationId: id, mode: 'live', operator: false } as const;
  const issue = (role: Role): string => issueKey(keySecret, { ...claims, role }, randomBytes(16));
  const secrets = { signup: issue('member'), crm: issue('member'), lists: issue('admin') };
  const key = (secret: string, name: string, role: Role, at: number): DemoKey => ({
    ...claims,
    id: newId('key', at),
    hash: sha256Hex(secret),
    last4: secret.slice(-4),
    name,
    role,
    origin: 'manual',
    userId: null,
    secretVersion: keyVersion(secret),
    createdAt: at,
    createdBy: userId,
    expiresAt: null,
    ...NEVER_ROTATED,
    revokedAt: null,
  });
  const keys = {
    signup: key(secrets.signup, 'Signup form', 'member', fromMs),
    crm: key(secrets.crm, 'CRM sync', 'member', fromMs + 9 * DAY_MS),
    lists: key(secrets.lists, 'List cleaning', 'admin', fromMs + 31 * DAY_MS),
  };
  const policies = SAVED.map(({ document, daysAgo }, at): ProjectedPolicy => ({
    organisationId: id,
    slug: DEFAULT_SLUG,
    version: at + 1,
    document: JSON.stringify(document),
    createdAt: daysAgo === null ? fromMs : nowMs - daysAgo * DAY_MS,
    createdBy: daysAgo === null ? null : userId,
  }));
  return {
    settings,
    keys,
    secrets,
    policies,
    policyAt(ms) {
      const inForce = policies.findLast(({ createdAt }) => createdAt <= ms) ?? policies[0];
      if (inForce === undefined) throw new Error('the demo has no policy');
      return inForce;
    },
  };
}
