import { expect } from 'vitest';
import { createDashboard } from '../../dashboard/worker/dashboard.ts';
import type { Database } from '../../dashboard/worker/database.ts';
import type { ApiBinding, PersonClaims } from '../../dashboard/worker/api-binding.ts';
import type { DashboardEnv } from '../../dashboard/worker/settings.ts';
import { newId } from '../../src/kernel/ids.ts';

export const ORIGIN = 'https://dashboard.test';
export const ORGANISATION = newId('org', Date.now());

let serial = 0;
/** A new person's address. */
export const newAddress = (): string => `person-${Date.now()}-${(serial += 1)}@people.test`;
/** A network of its own, so that the tries of other tests are not counted. */
const newNetwork = (): string => `2001:db8:${(serial += 1).toString(16)}:${process.pid.toString(16)}::1`;

/** A call of the API, as the dashboard made it. */
export interface Served {
  readonly person: PersonClaims;
  readonly request: Request;
}

/** The dashboard with a fake API that knows these addresses, and a console that collects its links. */
export function openDashboard(db: Database, known: readonly string[] = [], change: Partial<DashboardEnv> = {}) {
  const ids = new Map(known.map((email) => [email, newId('u', Date.now())]));
  const [links, served, mailed, operators]: [string[], Served[], string[], string[]] = [[], [], [], []];
  const entrypoint: ApiBinding = {
    serve: async (person, request) => {
      served.push({ person, request });
      return Response.json({ served: true }, { headers: { 'set-cookie': 'api=1', 'x-trace-id': 'rq_1' } });
    },
    findPerson: async (text) => {
      const email = text.toLowerCase();
      const id = ids.get(email);
      return { id: id ?? newId('u', Date.now()), email, isExpected: id !== undefined };
    },
    listOrganisations: async () => [{ id: ORGANISATION, name: 'Acme', role: 'admin', needsSecondFactor: false }],
    listInvitations: async () => [],
    acceptInvitation: async () => false,
    createOrganisation: async () => ({ id: ORGANISATION }),
    readOperations: async (email) => {
      operators.push(email);
      return { status: {}, directory: [] };
    },
    publicUrl: async () => 'https://api.test',
    sendsMail: async () => false,
    mailSignInLink: async (email) => mailed.push(email) > 0,
  };
  const env: DashboardEnv = {
    DASHBOARD_URL: ORIGIN,
    AUTH_SECRET: 'a'.repeat(44),
    DATABASE_URL: 'postgresql://none@none.invalid/none',
    API: entrypoint,
    ASSETS: { fetch: async () => new Response('<meta content="__NONCE__">') } as unknown as Fetcher,
    CONSOLE: {
      fetch: async (_: string, { body }: { body: string }) => {
        links.push((JSON.parse(body) as { url: string }).url);
        return new Response(null, { status: 204 });
      },
    } as unknown as Fetcher,
    ...change,
  };
  const dashboard = createDashboard(() => db);
  const network = newNetwork();
  const deferred: Promise<unknown>[] = [];

  async function send(method: string, path: string, { body, cookie = '', headers = {} }: Sending = {}) {
    const request = new Request(`${ORIGIN}${path}`, {
      method,
      headers: {
        'cf-connecting-ip': network,
        ...(cookie === '' ? {} : { cookie }),
        ...(method === 'GET'
          ? {}
          : { origin: ORIGIN, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await dashboard.fetch(request, env, { waitUntil: (work) => void deferred.push(work) });
    const text = await response.text();
    return {
      status: response.status,
      text,
      headers: response.headers,
      body: text.startsWith('{') ? JSON.parse(text) : null,
    };
  }
  const settle = async () => void (await Promise.all(deferred.splice(0)));

  /** Requests a link as the page does; returns its token. */
  async function askLink(email: string): Promise<string | null> {
    const before = links.length;
    expect(await send('POST', '/auth/link', { body: { email } })).toMatchObject({ status: 200, body: { ok: true } });
    await settle();
    return links.length === before ? null : (links.at(-1)?.split('#')[1] ?? null);
  }

  /** The cookie of a new session. */
  async function signIn(email: string): Promise<string> {
    const token = await askLink(email);
    const { headers } = await send('POST', '/auth/link/use', { body: { token } });
    return headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  }
  return { send, settle, askLink, signIn, links, served, mailed, operators, env, dashboard };
}

export interface Sending {
  readonly body?: unknown;
  readonly cookie?: string;
  readonly headers?: Record<string, string>;
}
