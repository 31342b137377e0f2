import { queryOptions } from '@tanstack/react-query';
import { type ApiClient, answerOf } from './client.ts';
import type { InvitationList, MemberList } from './schema.ts';

export type Member = MemberList['members'][number];
export type OpenInvitation = InvitationList['invitations'][number];

/** The people of the organisation. Admins alone may ask. */
export const membersQuery = (api: ApiClient, organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'members'],
    queryFn: async () => (await answerOf(api.GET('/v1/members'))).members,
  });

export const invitationsQuery = (api: ApiClient, organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'invitations'],
    queryFn: async () => (await answerOf(api.GET('/v1/invitations'))).invitations,
  });

const KEYS_MAX = 200;
const KEYS_FRESH_MS = 300_000;

/** The keys, for who made what. The newest 200: an older one is shown by its id. */
export const newestKeysQuery = (api: ApiClient, organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'keys', 'newest'],
    queryFn: async () => (await answerOf(api.GET('/v1/keys', { params: { query: { limit: KEYS_MAX } } }))).keys,
    staleTime: KEYS_FRESH_MS,
  });

/** What is shown for a person or a key without a name. `members`; undefined: they are not known. */
export function namelessText(id: string, members: readonly Member[] | undefined): string {
  const what = id.startsWith('key_') ? 'Key' : members === undefined ? 'Person' : 'Former member';
  return `${what} …${id.slice(-6)}`;
}
