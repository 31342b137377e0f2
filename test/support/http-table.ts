import type { RouteDeclaration } from '../../src/contract/route.ts';
import { ROUTES, type RouteId } from '../../src/contract/routes.ts';
import { MCP } from '../../src/contract/mcp.ts';
import { newId } from '../../src/kernel/ids.ts';

/** Every declared route with a request that would be served, so that a new route can't escape the tests below. */
export const ROUTE_CASES = (Object.entries({ ...ROUTES, mcp: MCP }) as [RouteId | 'mcp', RouteDeclaration][]).map(
  ([id, route]) => ({
    id,
    route,
    method: route.method.toUpperCase(),
    path: route.path
      .replace(':trace_id', newId('vr', 0))
      .replace(':slug', 'default')
      .replace(':connection_id', newId('con', 0))
      .replace(':key_id', newId('key', 0))
      .replace(':id', newId('org', 0)),
    body: route.body?.example,
  }),
);

export const KEYED_CASES = ROUTE_CASES.filter(({ route }) => route.access !== 'public' && route.access !== 'bootstrap');
export const BODY_CASES = KEYED_CASES.filter(({ route }) => route.body !== undefined);
