import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { queryClient } from './api/query-client.ts';
import { type Me, meQuery } from './api/session.ts';
import { BrokenPage, LostPage, WaitingPage } from './frame/fallbacks.tsx';
import { Shell } from './frame/shell.tsx';
import { parseSearch, stringifySearch } from './lib/address.ts';
import { isOpenTo, lastOrganisation, rememberOrganisation } from './lib/organisation.ts';

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: LostPage });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./screens/sign-in/index.tsx')),
});

const signInLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/link',
  component: lazyRouteComponent(() => import('./screens/sign-in/link.tsx')),
});

const codeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/code',
  component: lazyRouteComponent(() => import('./screens/sign-in/code.tsx')),
});

/** All routes below need a session. */
const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'session',
  beforeLoad: async ({ location }): Promise<{ readonly me: Me }> => {
    const me = await queryClient.query({ ...meQuery, staleTime: 'static' });
    if (me === null) throw redirect({ to: '/sign-in', search: { to: location.href } });
    if (me.needs_code) throw redirect({ to: '/sign-in/code', search: { to: location.href } });
    return { me };
  },
  component: Outlet,
});

/** Redirects to the organisation used last; a person without one stays here. */
const homeRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: '/',
  beforeLoad: ({ context: { me } }) => {
    const open = me.organisations.filter((each) => isOpenTo(me, each));
    const organisation = open.find(({ id }) => id === lastOrganisation()) ?? open[0] ?? me.organisations[0];
    if (organisation !== undefined && me.invitations.length === 0)
      throw redirect({ to: '/$organisation/overview', params: { organisation: organisation.id } });
  },
  component: lazyRouteComponent(() => import('./screens/welcome/index.tsx')),
});

const invitationRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: '/invitations/$invitation',
  component: lazyRouteComponent(() => import('./screens/welcome/index.tsx')),
});

const accountRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./screens/account/index.tsx')),
});

/** Operators only. The Worker and the API enforce it; others see "not found". */
const operatorRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: '/operator',
  beforeLoad: ({ context: { me } }) => {
    if (!me.is_operator) throw notFound();
  },
  component: lazyRouteComponent(() => import('./screens/operator/index.tsx')),
});

const organisationRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: '/$organisation',
  beforeLoad: ({ context: { me }, params }) => {
    if (!me.organisations.some(({ id }) => id === params.organisation)) throw notFound();
    rememberOrganisation(params.organisation);
  },
  component: Shell,
});

const screen = <const Path extends string>(
  path: Path,
  load: () => Promise<{ readonly default: () => React.ReactNode }>,
) =>
  createRoute({
    getParentRoute: () => organisationRoute,
    path,
    validateSearch: (search: Record<string, unknown>) => search as Record<string, string | undefined>,
    component: lazyRouteComponent(load),
  });

const routeTree = rootRoute.addChildren([
  signInRoute,
  signInLinkRoute,
  codeRoute,
  sessionRoute.addChildren([
    homeRoute,
    invitationRoute,
    accountRoute,
    operatorRoute,
    organisationRoute.addChildren([
      screen('overview', () => import('./screens/overview/index.tsx')),
      screen('try', () => import('./screens/try/index.tsx')),
      screen('lists', () => import('./screens/lists/index.tsx')),
      screen('lists/$job', () => import('./screens/lists/job.tsx')),
      screen('log', () => import('./screens/log/index.tsx')),
      screen('policy', () => import('./screens/policy/index.tsx')),
      screen('rules', () => import('./screens/rules/index.tsx')),
      screen('keys', () => import('./screens/keys/index.tsx')),
      screen('learning', () => import('./screens/learning/index.tsx')),
      screen('connections', () => import('./screens/connections/index.tsx')),
      screen('members', () => import('./screens/members/index.tsx')),
      screen('settings', () => import('./screens/settings/index.tsx')),
      screen('audit', () => import('./screens/audit/index.tsx')),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: BrokenPage,
  defaultPendingComponent: WaitingPage,
  defaultNotFoundComponent: LostPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
