import * as z from 'zod';
import { EmailInput, EpochSeconds, Name, NextCursor, Paging, Usd, wholeNumber } from './common.ts';
import { ConnectionKind } from './connections.ts';
import { KeyOrigin, Role } from './vocabulary.ts';

/** The operator API: for the people who run the service. Not part of `/v1`. */

/** A quota or allowance of 0 or less is unmetered; a budget of 0 allows nothing. */
const LimitSettings = z.object({
  verification_quota: z.number().int().max(1e12).min(-1).describe('Verifications a month; 0 or less: unmetered.'),
  screening_allowance: z.number().int().max(1e12).min(-1).describe('Screenings a month; 0 or less: unmetered.'),
  enrichment_budget_usd: Usd.max(1e6).describe('What enrichment may cost a month, in US dollars; 0: nothing.'),
  provider_budget_usd: Usd.max(1e6)
    .nullable()
    .describe(
      'What providers may bill a month, in US dollars; null: unlimited. Once it is spent, no provider is asked: answers are local.',
    ),
  rate_per_minute: z.number().int().min(1).max(1e6).describe('Requests a minute.'),
});

export const Organisation = z.object({
  id: z.string().describe('Names it in paths: `org_…`.'),
  account_id: z.string().describe('The account: `acct_…`.'),
  name: z.string().describe('For people.'),
  ...LimitSettings.shape,
  second_factor: z.boolean().describe('Whether people need a second factor: a passkey or an authenticator app.'),
  created_at: EpochSeconds,
});
export type Organisation = z.infer<typeof Organisation>;

export const CreateOrganisation = LimitSettings.partial().extend({ name: Name.optional() });
/** Strict: a misspelt setting would otherwise be ignored silently. */
export const ChangeOrganisation = z.strictObject(CreateOrganisation.shape);
export const OrganisationResponse = z.object({ organisation: Organisation.describe('As it is now.') });
export const OrganisationParams = z.object({ id: z.string().describe('The organisation: `org_…`.') });
export const OrganisationQuery = Paging;
export const OrganisationList = z.object({
  organisations: z.array(Organisation).describe('Newest first.'),
  cursor: NextCursor,
});

export const Key = z.object({
  id: z.string().describe('Names the key in paths: `key_…`.'),
  name: z.string().describe('For people.'),
  role: Role,
  origin: KeyOrigin,
  operator: z.boolean().describe('It may use the operator API.'),
  test: z.boolean().describe('It is for trying things out: nothing is metered, paid or learnt from.'),
  last4: z.string().describe('The last characters of its secret.'),
  owner_user_id: z.string().nullable().describe('The person whose key it is; null: the organisation’s own.'),
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
  test: z.boolean().default(false).describe('For trying things out: nothing is metered, paid or learnt from.'),
  user_id: z.string().optional().describe('The user whose key it is.'),
});
/** The key itself, shown only in this response. */
export const CreatedKey = z.object({
  key: Key.extend({ key: z.string().describe('The key itself. Only this answer shows it.') }).describe('The new key.'),
});
export const KeyList = z.object({ keys: z.array(Key).describe('Newest first, revoked ones too.') });
export const KeyParams = z.object({
  id: z.string().describe('The organisation: `org_…`.'),
  key_id: z.string().describe('The key: `key_…`.'),
});
export const KeyResponse = z.object({ key: Key.describe('As it is now.') });

export const CreateUser = z.object({ email: EmailInput, name: Name.optional(), role: Role.default('member') });
export const UserResponse = z.object({
  user: z
    .object({
      id: z.string().describe('The user: `u_…`.'),
      email: z.string().describe('The person’s own address.'),
      name: z.string().nullable().describe('The person’s name; null: not given.'),
      created_at: EpochSeconds,
    })
    .describe('The user.'),
});

export const ForgetRequest = z.object({
  email: EmailInput,
  cursor: z.string().optional().describe('From the previous answer; a call covers 100 organisations.'),
});
export type ForgetRequest = z.output<typeof ForgetRequest>;
export const ForgetResponse = z.object({
  forgotten: z
    .object({
      traces: z.number().int().describe('Traces and screenings.'),
      rules: z.number().int().describe('Rules on the address.'),
      users: z.number().int().describe('Users with it.'),
    })
    .describe('Rows unlinked from the address, by kind.'),
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
export const CreateConnection = ConnectionSecret.extend({
  kind: z.literal('stripe').describe('The payment processor.'),
});
const Connection = z.object({
  id: z.string().describe('Names it in paths.'),
  kind: ConnectionKind,
  url: z.string().describe('Where the processor sends its webhooks; the path alone where `PUBLIC_URL` is not set.'),
  created_at: EpochSeconds,
});
export const ConnectionResponse = z.object({ connection: Connection.describe('The connection.') });
/** Activity of the last 30 days. */
const ConnectionActivity = z.object({
  last_received_at: EpochSeconds.nullable().describe(
    'When the newest webhook with a meaning for us came; null before the first.',
  ),
  live_events: z.number().int().describe('Events made of webhooks; what segments count.'),
  test_events: z.number().int().describe('The same in the processor’s test mode; kept apart.'),
});
export const ConnectionList = z.object({
  connections: z.array(Connection.extend(ConnectionActivity.shape)).describe('Newest first.'),
});
export const ConnectionParams = z.object({
  id: z.string().describe('The organisation: `org_…`.'),
  connection_id: z.string().describe('The connection, as the list names it.'),
});

export const AcceptSource = z.object({
  source: z
    .string()
    .min(1)
    .max(2_000)
    .describe('Its URL or its `source`, as `status` shows them. 409 where two have a URL that is shown alike.'),
});
export const ListsResponse = z.object({
  accepted: z.boolean().describe('Whether the named source is now in force; `lists` says why not.'),
  lists: z.unknown().describe('Each source’s result, as in `status`.'),
});

const Count = z.number().int();
/** Rows waiting for Postgres or rejected by it, addresses still to be erased there, jobs that failed on our side. */
const Waiting = z.object({
  outbox_rows: Count.describe('Rows that wait for Postgres.'),
  outbox_age_s: Count.nullable().describe('Seconds that the oldest has waited, or null.'),
  outbox_dead: Count.describe('Rows that Postgres rejected.'),
  erasures: Count.describe('Addresses still to be cut off in Postgres.'),
  jobs_failed: Count.describe('Files that failed on our side.'),
});

/** A page costs a call of each organisation's object, and an invocation has a limited number of them. */
export const StatusQuery = z.object({
  limit: wholeNumber(1, 1_000).default(1_000).describe('How many organisations it reads at most.'),
  cursor: Paging.shape.cursor,
});

export const StatusResponse = z.object({
  unread: z.array(z.string()).describe('What could not be read and is missing below.'),
  totals: Waiting.extend({
    organisations: Count.describe('How many there are.'),
    unreachable: Count.describe('How many did not answer.'),
    dead_letters: Count.describe('Messages that a queue gave up on.'),
  }).describe('The organisations of this page together.'),
  organisations: z
    .array(
      Waiting.extend({
        id: z.string().describe('`org_…`.'),
        verifications: Count.describe('This month’s, as the quota counts them.'),
        provider_spend_usd: Usd.describe('What vendors may bill for this month, in US dollars.'),
      }),
    )
    .describe('Each organisation of this page, newest first.'),
  cursor: NextCursor,
  unreachable: z.array(z.string()).describe('Organisations whose object did not answer, or is empty.'),
  providers: z
    .array(
      z.object({
        provider: z.string().describe('Its name.'),
        calls: Count.describe('Calls.'),
        failed: Count.describe('Calls that gave no answer.'),
        error_rate: z.number().describe('Their share.'),
        mean_ms: Count.nullable().describe('Milliseconds of a call on average; null: none was made.'),
        max_ms: Count.nullable().describe('Milliseconds of the longest.'),
      }),
    )
    .describe('What all isolates reported of each provider in the last 24 hours.'),
  dead_letters: z
    .array(
      z.object({
        queue: z.string().describe('Its name.'),
        count: Count.describe('Messages.'),
        newest_age_s: Count.describe('How many seconds ago the newest came.'),
        newest: z.string().describe('What the newest was about.'),
      }),
    )
    .describe('Messages that a queue gave up on in the last 14 days.'),
  cron: z
    .array(
      z.object({
        step: z.string().describe('Its name.'),
        age_s: z.number().int().describe('How many seconds ago it ended.'),
        report: z.unknown().describe('What it did.'),
      }),
    )
    .describe('The last run of each scheduled step.'),
  settings: z
    .array(
      z.object({
        setting: z.string().describe('Its name.'),
        problem: z.string().describe('What is wrong.'),
        off: z.string().describe('What is off.'),
      }),
    )
    .describe('Settings that are wrong or half set, and what is off until they are put right.'),
  last_24h: z
    .object({
      counters: z
        .record(
          z.string(),
          z.object({
            count: Count.describe('The number of values.'),
            sum: z.number().describe('Over its values.'),
            max: z.number().describe('The largest of them.'),
          }),
        )
        .describe('Each counter by its name.'),
    })
    .describe('All counters of all isolates. Analytics Engine has three months of them.'),
});
export type StatusResponse = z.infer<typeof StatusResponse>;
