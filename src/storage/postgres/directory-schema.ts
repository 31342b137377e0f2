import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { AuditLine, KeyRecord } from '../../domain/access/keys.ts';
import type { InvitationRecord, MemberRecord } from '../../domain/access/member-records.ts';
import type { ProjectedJob } from '../../domain/bulk/job-record.ts';
import type {
  AlertSettings,
  OrganisationSettings,
  PrivacySettings,
} from '../../domain/metering/organisation-settings.ts';
import type { Limits, Usage } from '../../domain/metering/usage.ts';
import type { ProjectedPolicy } from '../../domain/policy/document.ts';
import type { ProjectedLosses } from '../../domain/router/losses.ts';
import type { RuleRecord } from '../../domain/rules/rules.ts';
import type { Id } from '../../kernel/ids.ts';
import { amount, type Holds, keyMode, organisationId, time } from './columns.ts';

/** The directory of organisations. Settings are a projection of the organisation's object, newest version wins. */
export const organisation = pgTable('organisation', {
  id: text('id').$type<Id<'org'>>().primaryKey(),
  accountId: text('account_id').$type<Id<'acct'>>().notNull(),
  name: text('name').notNull(),
  verificationQuota: bigint('verification_quota', { mode: 'number' }).notNull(),
  screeningAllowance: bigint('screening_allowance', { mode: 'number' }).notNull(),
  enrichmentBudgetMicros: amount('enrichment_budget_micros').notNull(),
  providerBudgetMicros: amount('provider_budget_micros'),
  ratePerMinute: integer('rate_per_minute').notNull(),
  createdAt: time('created_at').notNull(),
  version: integer('version').notNull(),
  privacy: jsonb('privacy').$type<PrivacySettings>(),
  alerts: jsonb('alerts').$type<AlertSettings>(),
  secondFactor: boolean('second_factor').notNull().default(false),
  /** The last change of its rule lists in `domain_rule` and `address_rule`; an older one is ignored. */
  domainRulesVersion: bigint('domain_rules_version', { mode: 'number' }).notNull().default(0),
  addressRulesVersion: bigint('address_rules_version', { mode: 'number' }).notNull().default(0),
}) satisfies Holds<Omit<OrganisationSettings, 'limits'> & Limits>;

/** The organisation's own users: the only table in Postgres with e-mail addresses. */
export const appUser = pgTable(
  'app_user',
  {
    id: text('id').$type<Id<'u'>>().primaryKey(),
    organisationId: organisationId(),
    email: text('email').notNull(),
    name: text('name'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('app_user_organisation').on(table.organisationId)],
);

export const apiKey = pgTable(
  'api_key',
  {
    id: text('id').$type<Id<'key'>>().primaryKey(),
    organisationId: organisationId(),
    hash: text('hash').notNull(),
    last4: text('last4').notNull(),
    name: text('name').notNull(),
    role: text('role').$type<KeyRecord['role']>().notNull(),
    mode: keyMode(),
    origin: text('origin').$type<KeyRecord['origin']>().notNull(),
    operator: boolean('operator').notNull(),
    userId: text('user_id').$type<Id<'u'>>(),
    secretVersion: text('secret_version').notNull(),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by').$type<KeyRecord['createdBy']>().notNull(),
    expiresAt: time('expires_at'),
    previousHash: text('previous_hash'),
    previousLast4: text('previous_last4'),
    previousUntil: time('previous_until'),
    revokedAt: time('revoked_at'),
  },
  (table) => [index('api_key_organisation').on(table.organisationId)],
) satisfies Holds<KeyRecord & { organisationId: Id<'org'> }>;

const ruleColumns = {
  organisationId: organisationId(),
  id: text('id').$type<RuleRecord['id']>().notNull(),
  rule: text('rule').$type<RuleRecord['rule']>().notNull(),
  note: text('note'),
  createdAt: time('created_at').notNull(),
  createdBy: text('created_by').notNull(),
};

/** Projection of the account's domain rules. */
export const domainRule = pgTable('domain_rule', { ...ruleColumns, domain: text('domain').notNull() }, (table) => [
  primaryKey({ columns: [table.organisationId, table.domain] }),
]) satisfies Holds<Omit<RuleRecord, 'key' | 'display'>>;

/** Projection of the account's address rules: keyed hash and mask, never the address. */
export const addressRule = pgTable(
  'address_rule',
  { ...ruleColumns, hash: text('hash').notNull(), display: text('display').notNull() },
  (table) => [primaryKey({ columns: [table.organisationId, table.hash] })],
) satisfies Holds<Omit<RuleRecord, 'key'>>;

/** Projection of all policy versions, which never change. The document is JSON, stored as text. */
export const policy = pgTable(
  'policy',
  {
    organisationId: organisationId(),
    slug: text('slug').notNull(),
    version: integer('version').notNull(),
    document: text('document').notNull(),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by'),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.slug, table.version] })],
) satisfies Holds<ProjectedPolicy>;

/** Projection of the organisations' own losses. Versions never change. */
export const losses = pgTable(
  'losses',
  {
    organisationId: organisationId(),
    version: integer('version').notNull(),
    document: text('document').notNull(),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by'),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.version] })],
) satisfies Holds<ProjectedLosses>;

/** Projection of a month's counts: absolute values, so that repeated writes do no harm. */
export const usageMonth = pgTable(
  'usage_month',
  {
    organisationId: organisationId(),
    month: text('month').notNull(),
    usage: jsonb('usage').$type<Usage>().notNull(),
    at: time('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.month] })],
);

/** Projection of the object's bulk jobs; the record stays after the files are deleted. */
export const bulkJob = pgTable(
  'bulk_job',
  {
    organisationId: organisationId(),
    id: text('id').$type<Id<'bj'>>().notNull(),
    version: integer('version').notNull(),
    record: jsonb('record').$type<ProjectedJob['record']>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.id] })],
) satisfies Holds<ProjectedJob>;

const role = () => text('role').$type<MemberRecord['role']>().notNull();

/** Projection of the organisations' members; only the objects decide who may do what. */
export const membership = pgTable(
  'membership',
  {
    organisationId: organisationId(),
    userId: text('user_id').$type<Id<'u'>>().notNull(),
    email: text('email').notNull(),
    name: text('name'),
    role: role(),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by').$type<MemberRecord['createdBy']>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.userId] }),
    index('membership_user').on(table.userId),
    index('membership_email').on(table.email),
  ],
) satisfies Holds<MemberRecord>;

export const invitation = pgTable(
  'invitation',
  {
    id: text('id').$type<Id<'inv'>>().primaryKey(),
    organisationId: organisationId(),
    email: text('email').notNull(),
    role: role(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    createdBy: text('created_by').$type<InvitationRecord['createdBy']>().notNull(),
  },
  (table) => [index('invitation_organisation').on(table.organisationId), index('invitation_email').on(table.email)],
) satisfies Holds<InvitationRecord>;

/** A copy of the organisations' own logs, from which a lost object is restored. */
export const auditLine = pgTable(
  'audit_line',
  {
    id: text('id').$type<Id<'au'>>().primaryKey(),
    organisationId: organisationId(),
    at: time('at').notNull(),
    actor: text('actor').$type<AuditLine['actor']>().notNull(),
    keyId: text('key_id').$type<Id<'key'>>(),
    action: text('action').$type<AuditLine['action']>().notNull(),
    target: text('target').notNull(),
    summary: text('summary').notNull(),
    entries: integer('entries'),
  },
  (table) => [index('audit_line_organisation').on(table.organisationId, table.id), index('audit_line_at').on(table.at)],
) satisfies Holds<AuditLine>;
