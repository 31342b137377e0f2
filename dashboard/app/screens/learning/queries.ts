import { queryOptions } from '@tanstack/react-query';
import { type ApiClient, answerOf } from '../../api/client.ts';
import { policiesKey } from '../policy/queries.ts';

export const calibrationQuery = (api: ApiClient, organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'calibration'],
    queryFn: () => answerOf(api.GET('/v1/calibration')),
  });

export const segmentsQuery = (api: ApiClient, organisationId: string, metric: string, days: number) =>
  queryOptions({
    queryKey: [organisationId, 'segments', metric, days],
    queryFn: () => answerOf(api.GET('/v1/segments', { params: { query: { metric, window_days: days } } })),
  });

/** The policies as they are in force now: another person may have saved one. */
export const newestPoliciesQuery = (api: ApiClient, organisationId: string) =>
  queryOptions({
    queryKey: [...policiesKey(organisationId), 'newest'],
    queryFn: async () => (await answerOf(api.GET('/v1/policies', { params: { query: { limit: 200 } } }))).policies,
    staleTime: 0,
  });
