import { queryOptions } from '@tanstack/react-query';
import { type ApiClient, answerOf } from '../../api/client.ts';

/** The newest judgements. */
export const newestQuery = (api: ApiClient, organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'traces', 'newest'],
    queryFn: () => answerOf(api.GET('/v1/traces', { params: { query: { limit: 200 } } })),
  });
