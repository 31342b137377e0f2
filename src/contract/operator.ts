import * as z from 'zod';
import { EmailInput, EpochSeconds, Name, Paging, Usd } from './common.ts';
import { ConnectionKind } from './connections.ts';
import { KeyOrigin, Role } from './vocabulary.ts';

/** The operator API: for the people who run the service. Not part of `/v1`. */

/** A quota or allowance of 0 or less is unmetered; a budget of 0 allows nothing. */
const LimitSettings = z.object({
  verification_quota: z.number().int().max(1e12).min(-1),
  screening_allowance: z.number().int().max(1e12).min(-1),
  enrichment_budget_usd: Usd.max(1e6),
  provider_budget_usd: Usd.max(1e6)
    .nullable()
    .describe('Null: unlimited. Once a month’s is spent, no provider is asked: answers are local.'),
  rate_per_minute: z.number().int().min(1).max(1e6),
});

export const Organisation = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  ...LimitSettings.shape,
  created_at: EpochSeconds,
});
export type Organisation = z.infer<typeof Organisation>;

export const CreateOrganisation = LimitSettings.partial().extend({ name: Name.optional() });
/** Strict: a misspelt setting would otherwise be ignored in silence. */
export const ChangeOrganisation = z.strictObject(CreateOrganisation.shape);
export const OrganisationResponse = z.object({ organisation: Organisation });
export const OrganisationParams = z.object({ id: z.string() });
export const OrganisationQuery = Paging;
export const OrganisationList = z.object({ organisations: z.array(Organisation), cursor: z.string().nullable() });

export const Key = z.object({
  id: z.string(),
  name: z.string(),
  role: Role,
  origin: KeyOrigin,
  operator: z.boolean(),
  test: z.boolean(),
  last4: z.string(),
  owner_user_id: z.string().nullable(),
  created_at: EpochSeconds,
  revoked_at: EpochSeconds.nullable(),
  secret_current: z
    .boolean()
    .describe('False: signed with a secret from SERVICE_SECRET_PREVIOUS, or with one that is not set any more.'),
  secret_known: z.boolean().describe('False: the key needs a secret that was dropped and is refused.'),
});
export type Key = z.infer<typeof Key>;

export const CreateKey = z.object({
  name: Name,
  role: Role,
  origin: KeyOrigin.default('manual'),
  test: z.boolean().default(false),
  user_id: z.string().optional(),
});
/** The key itself. Only this response shows it. */
export const CreatedKey = z.object({ key: Key.extend({ key: z.string() }) });
export const KeyList = z.object({ keys: z.array(Key) });
export const KeyParams = z.object({ id: z.string(), key_id: z.string() });
export const KeyResponse = z.object({ key: Key });

export const CreateUser = z.object({ email: EmailInput, name: Name.optional(), role: Role.default('member') });
export const UserResponse = z.object({
  user: z.object({ id: z.string(), email: z.string(), name: z.string().nullable(), created_at: EpochSeconds }),
});

export const ForgetRequest = z.object({
  email: EmailInput,
  cursor: z.string().optional().describe('Of the answer before; a call goes through 100 organisations.'),
});
export type ForgetRequest = z.output<typeof ForgetRequest>;
export const ForgetResponse = z.object({
  forgotten: z
    .object({ traces: z.number().int(), rules: z.number().int(), users: z.number().int() })
    .describe('How many rows of each kind were cut off from the address.'),
  pending: z
    .array(z.string())
    .describe('Organisations whose rows are cut off as soon as Postgres has all of them, without another call.'),
  incomplete: z.array(z.string()).describe('Organisations that could not be reached: repeat the call for them.'),
  cursor: z.string().nullable().describe('Where the next call goes on; null: these were the last organisations.'),
});
export type ForgetResponse = z.infer<typeof ForgetResponse>;

const ConnectionSecret = z.object({
  webhook_secret: z
    .string()
    .regex(/^whsec_[\x21-\x7e]{8,256}$/, 'must be the endpoint’s signing secret (`whsec_…`)')
    .describe('Of the endpoint at the processor; kept encrypted, never shown.'),
});
export const ChangeConnection = z.strictObject(ConnectionSecret.shape);
export const CreateConnection = ConnectionSecret.extend({ kind: z.literal('stripe') });
const Connection = z.object({
  id: z.string(),
  kind: ConnectionKind,
  url: z.string().describe('Where the processor sends its webhooks; the path alone where `PUBLIC_URL` is not set.'),
  created_at: EpochSeconds,
});
export const ConnectionResponse = z.object({ connection: Connection });
/** What came through it in the last 30 days. */
const ConnectionActivity = z.object({
  last_received_at: EpochSeconds.nullable().describe(
    'When the newest webhook with a meaning for us came; null before the first.',
  ),
  live_events: z.number().int().describe('Events made of webhooks; what segments count.'),
  test_events: z.number().int().describe('The same in the processor’s test mode; kept apart.'),
});
export const ConnectionList = z.object({ connections: z.array(Connection.extend(ConnectionActivity.shape)) });
export const ConnectionParams = z.object({ id: z.string(), connection_id: z.string() });

export const AcceptSource = z.object({
  source: z
    .string()
    .min(1)
    .max(2_000)
    .describe('Its URL or its `source`, as `status` shows them. 409 where two have a URL that is shown alike.'),
});
export const ListsResponse = z.object({
  accepted: z.boolean().describe('Whether the named source is now in force; `lists` says why not.'),
  lists: z.unknown().describe('What became of each source, as in `status`.'),
});

export const Done = z.object({ done: z.literal(true) });

const Count = z.number().int();
/** Rows that wait for Postgres, rows that it rejected, addresses still to be cut off there, bulk jobs that failed on our side. */
const Waiting = z.object({
  outbox_rows: Count,
  outbox_age_s: Count.nullable(),
  outbox_dead: Count,
  erasures: Count,
  jobs_failed: Count,
});

export const StatusResponse = z.object({
  unread: z.array(z.string()).describe('What could not be read now and is missing below.'),
  totals: Waiting.extend({ organisations: Count, unreachable: Count, dead_letters: Count }),
  organisations: z.array(Waiting.extend({ id: z.string(), provider_spend_usd: Usd })),
  unreachable: z.array(z.string()).describe('Organisations whose object did not answer, or is empty.'),
  providers: z
    .array(
      z.object({
        provider: z.string(),
        calls: Count,
        failed: Count,
        error_rate: z.number(),
        mean_ms: Count.nullable(),
        max_ms: Count.nullable(),
      }),
    )
    .describe('What all isolates reported of each provider in the last 24 hours.'),
  dead_letters: z
    .array(z.object({ queue: z.string(), count: Count, newest_age_s: Count, newest: z.string() }))
    .describe('Messages that a queue gave up on in the last 14 days.'),
  cron: z.array(z.object({ step: z.string(), age_s: z.number().int(), report: z.unknown() })),
  settings: z
    .array(z.object({ setting: z.string(), problem: z.string(), off: z.string() }))
    .describe('Settings that are wrong or half set, and what is off until they are put right.'),
  last_24h: z
    .object({ counters: z.record(z.string(), z.object({ count: Count, sum: z.number(), max: z.number() })) })
    .describe('All counters of all isolates. Analytics Engine has three months of them.'),
});
export type StatusResponse = z.infer<typeof StatusResponse>;
