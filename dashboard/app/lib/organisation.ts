import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { use } from 'react';
import { type ApiClient, apiOf } from '../api/client.ts';
import { type Me, meQuery, type Organisation, type Role, signInAgain } from '../api/session.ts';

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

export const roleAllows = (has: Role, needs: Role): boolean => RANK[has] >= RANK[needs];

/** The organisation serves the person's session: it asks for no second factor, or one was proved. */
export const isOpenTo = ({ session }: Me, { needsSecondFactor }: Organisation): boolean =>
  session.second_factor || !needsSecondFactor;

/** The page stays as it waits until the browser has left it. */
const LEAVING = new Promise<never>(() => undefined);

/** Who is signed in. Only below a route that asks for a session; one that has ended since leads to the sign-in page. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(meQuery);
  if (data !== null) return data;
  signInAgain();
  return use(LEAVING);
}

/** The organisation of the address, the person's role there, and the calls of the API for it. */
export function useOrganisation(): Organisation & { readonly api: ApiClient } {
  const { organisation: id } = useParams({ strict: false });
  const found = useMe().organisations.find((each) => each.id === id);
  if (found === undefined) throw new Error('this page has no organisation');
  return { ...found, api: apiOf(found.id) };
}

const LAST = 'organisation';

/** Where the person was last. It names no one. */
export const lastOrganisation = (): string | null => localStorage.getItem(LAST);
export const rememberOrganisation = (id: string): void => localStorage.setItem(LAST, id);
