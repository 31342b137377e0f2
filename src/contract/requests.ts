import { type Place, placesOf } from './misplaced.ts';
import type { RouteDeclaration } from './route.ts';
import { ROUTES } from './routes.ts';
import { TOOLS, toolRoute } from './tools.ts';

/** A request as its caller calls it. */
interface Request {
  readonly called: string;
  readonly route: RouteDeclaration;
}

/** A request that takes a field, and where. */
interface Taker {
  readonly called: string;
  readonly path: string;
  readonly belongsAt: string;
}

const routesBelow = (prefix: string): Request[] =>
  Object.values<RouteDeclaration>(ROUTES)
    .filter(({ path }) => path.startsWith(prefix))
    .map((route) => ({ called: `${route.method.toUpperCase()} ${route.path}`, route }));

/** A caller of one of these need not know the others, so a field of one is unknown to them. */
const APIS: readonly { readonly prefix: string; readonly list: () => readonly Request[] }[] = [
  { prefix: '/v1/', list: () => routesBelow('/v1/') },
  { prefix: '/operator/v1/', list: () => routesBelow('/operator/v1/') },
  { prefix: '/mcp/', list: () => TOOLS.map((tool) => ({ called: tool.name, route: toolRoute(tool) })) },
];

/** An entry of a list is one thing of many: its fields (`events[].at`) are not the request's. */
const isOfRequest = (place: string): boolean => !place.includes('[]');

function takersIn(requests: readonly Request[]): ReadonlyMap<string, readonly Taker[]> {
  const takers = new Map<string, Taker[]>();
  for (const { called, route } of requests) {
    for (const [name, places] of route.body === undefined ? [] : placesOf(route.body.schema, '')) {
      const belongsAt = places.find(isOfRequest);
      if (belongsAt === undefined) continue;
      takers.set(name, [...(takers.get(name) ?? []), { called, path: route.path, belongsAt }]);
    }
  }
  return takers;
}

/** By prefix. Filled by the first unknown field: most isolates never see one. */
const known = new Map<string, ReadonlyMap<string, readonly Taker[]>>();

function takersOf(name: string, path: string): readonly Taker[] {
  const api = APIS.find(({ prefix }) => path.startsWith(prefix));
  if (api === undefined) return [];
  const takers = known.get(api.prefix) ?? takersIn(api.list());
  known.set(api.prefix, takers);
  return takers.get(name) ?? [];
}

function sharedSegments(a: string, b: string): number {
  const others = b.split('/');
  const parts = a.split('/').findIndex((segment, index) => segment !== others[index]);
  return parts === -1 ? others.length : parts;
}

/** Where the API knows a field that a route does not: of several requests the one with the path most like the route's. */
export function placeElsewhere({ path }: RouteDeclaration, name: string): Place | null {
  const [nearest] = takersOf(name, path).toSorted(
    (one, other) => sharedSegments(path, other.path) - sharedSegments(path, one.path),
  );
  return nearest === undefined ? null : { belongsAt: nearest.belongsAt, of: nearest.called };
}
