import createClient, { type Client } from 'openapi-fetch';
import { errorOf, offline } from './error.ts';
import type { Paths } from './schema.ts';

export type ApiClient = Client<Paths>;

/** Base path of an organisation's calls. The dashboard's Worker adds a key that no page sees. */
export const apiBase = (organisationId: string): string => `/api/${organisationId}`;

const clients = new Map<string, ApiClient>();

export function apiOf(organisationId: string): ApiClient {
  const known = clients.get(organisationId);
  if (known !== undefined) return known;
  const made = createClient<Paths>({ baseUrl: apiBase(organisationId) });
  clients.set(organisationId, made);
  return made;
}

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the answer of a successful call; otherwise throws an `ApiError`. */
export async function answerOf<T>(call: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await call.catch(() => {
    throw offline();
  });
  if (!response.ok) throw errorOf(response.status, error);
  return data as T;
}
