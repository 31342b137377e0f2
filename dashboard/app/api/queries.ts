import { queryOptions } from '@tanstack/react-query';
import { answerOf, apiOf } from './client.ts';
import type { InvitationList, MemberList } from './schema.ts';

export const lossesQuery = (organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'losses'],
    queryFn: () => answerOf(apiOf(organisationId).GET('/v1/losses')),
    staleTime: 300_000,
  });

export const organisationQuery = (organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'organisation'],
    queryFn: async () => (await answerOf(apiOf(organisationId).GET('/v1/organisation'))).organisation,
  });

export const usageQuery = (organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'usage'],
    queryFn: () => answerOf(apiOf(organisationId).GET('/v1/usage')),
  });

/** Daily call counts of the last 30 days by one property, with filters. */
export const seriesQuery = (organisationId: string, by: 'recommendation' | 'decision' | 'key', filters: object = {}) =>
  queryOptions({
    queryKey: [organisationId, 'series', by, filters],
    queryFn: () => answerOf(apiOf(organisationId).GET('/v1/usage/series', { params: { query: { ...filters, by } } })),
    staleTime: 60_000,
  });

export const policiesQuery = (organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'policies'],
    queryFn: () => answerOf(apiOf(organisationId).GET('/v1/policies', { params: { query: { limit: 200 } } })),
  });

export const traceQuery = (organisationId: string, traceId: string) =>
  queryOptions({
    queryKey: [organisationId, 'trace', traceId],
    queryFn: async () =>
      (await answerOf(apiOf(organisationId).GET('/v1/traces/{trace_id}', { params: { path: { trace_id: traceId } } })))
        .trace,
  });

export type Member = MemberList['members'][number];
export type OpenInvitation = InvitationList['invitations'][number];

/** Admins only. */
export const membersQuery = (organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'members'],
    queryFn: async () => (await answerOf(apiOf(organisationId).GET('/v1/members'))).members,
  });

export const invitationsQuery = (organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'invitations'],
    queryFn: async () => (await answerOf(apiOf(organisationId).GET('/v1/invitations'))).invitations,
  });

const KEYS_MAX = 200;
const KEYS_FRESH_MS = 300_000;

/** The newest 200 keys, to show names in place of ids. */
export const newestKeysQuery = (organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'keys', 'newest'],
    queryFn: async () =>
      (await answerOf(apiOf(organisationId).GET('/v1/keys', { params: { query: { limit: KEYS_MAX } } }))).keys,
    staleTime: KEYS_FRESH_MS,
  });

/** Text for a person or key without a known name. `members` is undefined until loaded. */
export function namelessText(id: string, members: readonly Member[] | undefined): string {
  const what = id.startsWith('key_') ? 'Key' : members === undefined ? 'Person' : 'Former member';
  return `${what} …${id.slice(-6)}`;
}
