import { queryOptions } from '@tanstack/react-query';
import { type ApiClient, answerOf, apiOf } from '../../api/client.ts';
import type { ConnectionKind, OwnConnectionList } from '../../api/schema.ts';

export type Connection = OwnConnectionList['connections'][number];

/** Polls while a new connection waits for its first event. */
const WATCH_MS = 15_000;

export const connectionsQuery = (organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'connections'],
    queryFn: async () => (await answerOf(apiOf(organisationId).GET('/v1/connections'))).connections,
    refetchInterval: WATCH_MS,
  });

export const createConnection = async (api: ApiClient, kind: ConnectionKind, secret: string) =>
  (await answerOf(api.POST('/v1/connections', { body: { kind, secret } }))).connection;

export const changeSecret = (api: ApiClient, id: string, secret: string) =>
  answerOf(api.PATCH('/v1/connections/{id}', { params: { path: { id } }, body: { secret } }));

export const deleteConnection = (api: ApiClient, id: string) =>
  answerOf(api.DELETE('/v1/connections/{id}', { params: { path: { id } } }));
