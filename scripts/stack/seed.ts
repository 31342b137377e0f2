import { setTimeout as sleep } from 'node:timers/promises';
import { mintBootstrapToken } from '../../src/domain/access/keys.ts';
import type { SignInLink } from './child.ts';
import { StackError } from './stack-error.ts';
import type { Seeded, SeededKeys } from './state.ts';

const HEALTH_TIMEOUT_MS = 10_000;

interface CreatedKey {
  readonly key: { readonly key: string };
}

/** The organisation's keys: what `npm start` prints and writes down, beside the operator's. */
const KEYS: Readonly<Record<Exclude<keyof SeededKeys, 'operator'>, { role: string; test: boolean }>> = {
  viewer: { role: 'viewer', test: false },
  member: { role: 'member', test: false },
  admin: { role: 'admin', test: false },
  test: { role: 'member', test: true },
};

/** Resolves once the Worker answers; a StackError after ten seconds without. */
export async function waitUntilHealthy(baseUrl: string): Promise<void> {
  const deadline = Date.now() + HEALTH_TIMEOUT_MS;
  let last = 'no answer';
  while (Date.now() < deadline) {
    try {
      const response = await fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
      if (response.ok) return;
      last = `HTTP ${response.status}`;
    } catch (error) {
      last = (error as Error).message;
    }
    await sleep(50);
  }
  throw new StackError(
    `The Worker does not answer GET /health (${last}); its log is worker.log in the state directory.`,
  );
}

/** Whether keys of an earlier run still open their organisation. */
export async function stillWorks(baseUrl: string, { keys }: Seeded): Promise<boolean> {
  const statuses = await Promise.all(
    Object.values(keys as unknown as Record<string, string>).map(async (key) => {
      const response = await fetch(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
      await response.body?.cancel();
      return response.status;
    }),
  );
  return statuses.every((status) => status === 200);
}

/** The local stack's own person: an administrator of its organisation. */
export const PERSON = { email: 'you@example.com', name: 'You', role: 'admin' } as const;

/** Makes the person, who may be there already. Gives their address. */
export async function seedPerson(baseUrl: string, { org_id: id, keys }: Seeded): Promise<string> {
  const response = await fetch(`${baseUrl}/operator/v1/organisations/${id}/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.operator}`, 'content-type': 'application/json' },
    body: JSON.stringify(PERSON),
  });
  if (response.status !== 201)
    throw new StackError(`Seeding failed: the person was answered ${response.status} ${await response.text()}`);
  await response.body?.cancel();
  return PERSON.email;
}

/** Makes an operator key, an organisation and its keys, over the operator API like anyone who runs the service. */
export async function seed(baseUrl: string, serviceSecret: string, nowMs: number): Promise<Seeded> {
  async function post<T>(path: string, bearer: string, body: object): Promise<T> {
    const response = await fetch(`${baseUrl}/operator/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) {
      throw new StackError(
        `Seeding failed: POST /operator/v1${path} answered ${response.status} ${await response.text()} (--fresh begins with an empty state)`,
      );
    }
    return (await response.json()) as T;
  }

  const bootstrap = await post<CreatedKey>('/bootstrap', mintBootstrapToken(serviceSecret, nowMs), {});
  const operator = bootstrap.key.key;
  const { organisation } = await post<{ organisation: { id: string } }>('/organisations', operator, {
    name: 'Local stack',
  });
  const keys = await Promise.all(
    Object.entries(KEYS).map(async ([name, { role, test }]) => {
      const body = { name: `local ${name}`, role, origin: 'auto', test };
      const { key } = await post<CreatedKey>(`/organisations/${organisation.id}/keys`, operator, body);
      return [name, key.key] as const;
    }),
  );
  return { org_id: organisation.id, keys: { ...(Object.fromEntries(keys) as Omit<SeededKeys, 'operator'>), operator } };
}

const TIMEOUT_MS = 10_000;

/** Asks the dashboard for a link as a person at its page does, and waits for it at the console. */
export async function askSignInLink(
  dashboardUrl: string,
  email: string,
  onLink: (listener: (link: SignInLink) => void) => () => void,
): Promise<string> {
  const shown = Promise.withResolvers<string>();
  // A wait that is never reached must not end the process.
  shown.promise.catch(() => {});
  const ignore = onLink((link) => {
    if (link.email === email) shown.resolve(link.url);
  });
  const timer = setTimeout(
    () =>
      shown.reject(new StackError('The dashboard gave no sign-in link; its log is worker.log in the state directory.')),
    TIMEOUT_MS,
  );
  try {
    const response = await fetch(`${dashboardUrl}/auth/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: dashboardUrl },
      body: JSON.stringify({ email }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new StackError(`The dashboard answers ${response.status} ${await response.text()}`);
    return await shown.promise;
  } finally {
    clearTimeout(timer);
    ignore();
  }
}
