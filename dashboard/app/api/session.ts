import { queryOptions } from '@tanstack/react-query';
import { ApiError, errorOf, offline } from './error.ts';

export type Role = 'viewer' | 'member' | 'admin';

export interface Organisation {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Members need a second factor. */
  readonly needsSecondFactor: boolean;
}

export interface Invitation {
  readonly id: string;
  readonly organisationId: string;
  readonly organisationName: string;
  readonly role: Role;
}

export interface Me {
  readonly user: { readonly id: string; readonly email: string; readonly name: string | null };
  readonly session: {
    readonly id: string;
    readonly signed_in_at: number;
    /** The session has proved a passkey or a code. */
    readonly second_factor: boolean;
  };
  /** The session opens nothing until a code of the authenticator app is entered. */
  readonly needs_code: boolean;
  readonly factors: { readonly totp: boolean; readonly passkeys: number };
  readonly organisations: readonly Organisation[];
  readonly invitations: readonly Invitation[];
  readonly is_operator: boolean;
  readonly may_create: boolean;
}

export interface Session {
  readonly id: string;
  readonly created_at: number;
  readonly used_at: number;
  readonly network: string | null;
  readonly browser: string | null;
}

export interface Passkey {
  readonly id: string;
  readonly name?: string | null;
  readonly createdAt?: string | null;
}

/** Calls the dashboard's own Worker about sessions. Throws an `ApiError`. */
export async function callAuth<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const response = await fetch(`/auth${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw offline();
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorOf(response.status, answer);
  return answer as T;
}

/** Null without a session. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<Me | null> => {
    try {
      return await callAuth<Me>('GET', '/me');
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** A full reload: after signing out, nothing of the person stays in memory. */
export const startOver = (path: string): void => window.location.replace(path);

/** Leads to the sign-in page and back to the current page. */
export const signInAgain = (): void =>
  startOver(`/sign-in?to=${encodeURIComponent(window.location.pathname + window.location.search)}`);
