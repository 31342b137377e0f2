import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { use } from 'react';
import { type ApiClient, apiOf } from '../api/client.ts';
import { type Me, meQuery, type Organisation, type Role, signInAgain } from '../api/session.ts';

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

export const roleAllows = (has: Role, needs: Role): boolean => RANK[has] >= RANK[needs];

/** Whether the session may open the organisation: a second factor is proved or not required. */
export const isOpenTo = ({ session }: Me, { needsSecondFactor }: Organisation): boolean =>
  session.second_factor || !needsSecondFactor;

/** Never resolves: the page waits until the browser leaves it. */
const LEAVING = new Promise<never>(() => undefined);

/** The signed-in person, below a route with a session. An ended session leads to the sign-in page. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(meQuery);
  if (data !== null) return data;
  signInAgain();
  return use(LEAVING);
}

/** The organisation in the URL, the person's role there, and its API client. */
export function useOrganisation(): Organisation & { readonly api: ApiClient } {
  const { organisation: id } = useParams({ strict: false });
  const found = useMe().organisations.find((each) => each.id === id);
  if (found === undefined) throw new Error('this page has no organisation');
  return { ...found, api: apiOf(found.id) };
}

const LAST = 'organisation';

/** The organisation opened last on this device. */
export const lastOrganisation = (): string | null => localStorage.getItem(LAST);
export const rememberOrganisation = (id: string): void => localStorage.setItem(LAST, id);
