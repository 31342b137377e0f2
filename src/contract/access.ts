import * as z from 'zod';
import { EmailInput, EpochSeconds, Name, NextCursor, Paging, Period } from './common.ts';
import { Organisation } from './operator.ts';
import { KeyOrigin, Role } from './vocabulary.ts';

/** An account's own keys and people, and its audit log. */

const KeyMode = z.enum(['live', 'test']).describe('`test`: for trials; nothing is metered, paid or learned from.');
const Actor = z
  .string()
  .describe('A person (`u_…`), a key without a person (`key_…`), or `operator`, who runs the service.');

export const OwnKey = z.object({
  id: z.string().describe('The key’s id in paths: `key_…`.'),
  name: z.string().describe('For people.'),
  role: Role,
  origin: KeyOrigin,
  mode: KeyMode,
  last4: z.string().describe('The last characters of the secret; empty for a person’s dashboard key, which has none.'),
  owner_user_id: z.string().nullable().describe('The person it belongs to, whose membership it ends with.'),
  created_at: EpochSeconds,
  created_by: Actor.describe('Who made it.'),
  last_used_at: EpochSeconds.nullable().describe('The hour of the last accepted request; null without one.'),
  expires_at: EpochSeconds.nullable().describe('When it expires; null if it does not.'),
  previous_secret: z
    .object({
      last4: z.string().describe('Its last characters.'),
      valid_until: EpochSeconds,
      last_used_at: EpochSeconds.nullable().describe(
        'The hour of the last request with it since the rotation; null without one.',
      ),
    })
    .nullable()
    .describe('The secret before the last rotation, while it is valid.'),
  revoked_at: EpochSeconds.nullable(),
});
export type OwnKey = z.infer<typeof OwnKey>;

const Expiry = z
  .number()
  .int()
  .min(0)
  .max(1e11)
  .nullable()
  .describe('Epoch seconds, in the future; null for a key that does not expire.');

export const CreateOwnKey = z.object({
  name: Name,
  role: Role,
  mode: KeyMode.default('live'),
  expires_at: Expiry.default(null),
});
export const ChangeOwnKey = z.object({ name: Name.optional(), expires_at: Expiry.optional() });
export const RotateOwnKey = z.object({
  overlap_s: z
    .number()
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400)
    .describe('How long the current secret stays valid, up to 30 days; by default a day.'),
});
export const OwnKeyResponse = z.object({ key: OwnKey.describe('The key, without its secret.') });
export const OwnKeySecret = z.object({
  key: OwnKey.extend({ secret: z.string().describe('The key itself. Only this answer shows it.') }).describe(
    'The key, with its secret.',
  ),
});
export const OwnKeyQuery = Paging.extend({
  state: z.enum(['active', 'ended']).optional().describe('`active`: valid keys; `ended`: revoked or expired keys.'),
  role: Role.optional().describe('Keys of this role.'),
  mode: KeyMode.optional().describe('Keys of this mode.'),
});
export const OwnKeyList = z.object({ keys: z.array(OwnKey).describe('Newest first.'), cursor: NextCursor });
export const IdParams = z.object({ id: z.string().describe('As the list names it.') });

export const ChangeOwnOrganisation = z.object({
  name: Name.optional(),
  second_factor: z
    .boolean()
    .optional()
    .describe(
      'Whether people need a second factor (a passkey or an authenticator app). Only a person who has just signed in changes it.',
    ),
});
export const OwnOrganisationResponse = z.object({ organisation: Organisation.describe('Your organisation.') });

const AlertSetting = z.object({
  of: z
    .enum(['verifications', 'screenings', 'enrichment', 'providers'])
    .describe('The allowance: calls a month, or dollars that enrichment or providers may bill.'),
  share: z.literal([80, 100]).describe('Percent of it that is used.'),
  enabled: z.boolean().describe('Whether a mail goes out.'),
});
const Recipients = z.array(z.string()).min(1).max(50);
export const AlertsResponse = z.object({
  alerts: z.array(AlertSetting).describe('Every alert there is. Each goes out once a month.'),
  recipients: Recipients.nullable().describe('The members (`u_…`) who get the mails; null for every admin.'),
});
export const PutAlerts = z.object({
  alerts: z.array(AlertSetting).max(8).optional().describe('Alerts to change.'),
  recipients: Recipients.nullable()
    .optional()
    .describe('The members (`u_…`) who get the mails; null for every admin, as after all of them have left.'),
});

const Member = z.object({
  id: z.string().describe('The person: `u_…`.'),
  email: z.string().describe('The person’s own address.'),
  name: z.string().nullable().describe('The person’s name, or null.'),
  role: Role,
  created_at: EpochSeconds,
  created_by: Actor.describe('Who added the person.'),
});
export const MemberList = z.object({ members: z.array(Member).describe('Oldest first.') });
export const MemberResponse = z.object({ member: Member.describe('The member.') });
export const ChangeMember = z.object({ role: Role });

const Invitation = z.object({
  id: z.string().describe('The invitation’s id in paths.'),
  email: z.string().describe('The invited address.'),
  role: Role,
  created_at: EpochSeconds,
  created_by: Actor,
  expires_at: EpochSeconds,
});
export const InvitationList = z.object({
  invitations: z.array(Invitation).describe('Open invitations, newest first.'),
});
export const CreateInvitation = z.object({ email: EmailInput, role: Role });
export const InvitationResponse = z.object({ invitation: Invitation.describe('The invitation.') });

export const AuditAction = z.enum([
  'key.created',
  'key.changed',
  'key.rotated',
  'key.revoked',
  'member.added',
  'member.changed',
  'member.removed',
  'invitation.made',
  'invitation.withdrawn',
  'organisation.created',
  'organisation.changed',
  'policy.saved',
  'rules.added',
  'rules.removed',
  'connection.created',
  'connection.changed',
  'connection.deleted',
  'losses.changed',
  'address.exported',
  'address.forgotten',
]);
export type AuditAction = z.infer<typeof AuditAction>;

export const AuditQuery = Paging.extend({
  ...Period,
  action: AuditAction.optional().describe('Changes of this sort.'),
  actor: z
    .string()
    .regex(/^(?:operator|(?:u|key)_[0-9a-z]{26})$/, 'must be `u_…`, `key_…` or `operator`')
    .optional()
    .describe('Changes by this actor: `u_…`, `key_…` or `operator`.'),
});
export const AuditLog = z.object({
  entries: z
    .array(
      z.object({
        id: z.string().describe('The entry’s id.'),
        at: EpochSeconds,
        actor: Actor,
        key_id: z
          .string()
          .nullable()
          .describe(
            'The key of the change, also a person’s dashboard key; null for an operator, or a person who joins.',
          ),
        action: z.string().describe('What was done: `key.created`, `policy.saved`, `rules.added` …'),
        target: z.string().describe('The id or name of what was changed.'),
        summary: z.string().describe('What changed, without secrets and addresses.'),
      }),
    )
    .describe('Newest first.'),
  cursor: NextCursor,
});
