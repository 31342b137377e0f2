import { queryOptions } from '@tanstack/react-query';
import { type ApiClient, answerOf } from '../../api/client.ts';

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
