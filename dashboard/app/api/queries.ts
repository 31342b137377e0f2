import { queryOptions } from '@tanstack/react-query';
import { type ApiClient, answerOf } from './client.ts';

/** What more than one screen asks for. */
export const lossesQuery = (api: ApiClient, organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'losses'],
    queryFn: () => answerOf(api.GET('/v1/losses')),
    staleTime: 300_000,
  });

export const usageQuery = (api: ApiClient, organisationId: string) =>
  queryOptions({ queryKey: [organisationId, 'usage'], queryFn: () => answerOf(api.GET('/v1/usage')) });

/** Calls of the last 30 days, split. */
export const seriesQuery = (api: ApiClient, organisationId: string, by: 'recommendation' | 'decision' | 'key') =>
  queryOptions({
    queryKey: [organisationId, 'series', by],
    queryFn: () => answerOf(api.GET('/v1/usage/series', { params: { query: { by } } })),
    staleTime: 60_000,
  });

export const policiesQuery = (api: ApiClient, organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'policies'],
    queryFn: () => answerOf(api.GET('/v1/policies', { params: { query: { limit: 200 } } })),
  });
