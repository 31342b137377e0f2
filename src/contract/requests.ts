import { type Place, placesOf } from './misplaced.ts';
import type { RouteDeclaration } from './route.ts';
import { ROUTES } from './routes.ts';

/** A request, named as its callers name it. */
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

/** What a path is about: `/v1/bulk`, `/operator/v1/organisations`. Its callers know the fields of all its requests. */
const resourceOf = (path: string): string | null => /^(?:\/operator)?\/v1\/[^/]+/.exec(path)?.[0] ?? null;

const requestsOf = (resource: string): Request[] =>
  Object.values<RouteDeclaration>(ROUTES)
    .filter(({ path }) => resourceOf(path) === resource)
    .map((route) => ({ called: `${route.method.toUpperCase()} ${route.path}`, route }));

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

/** By resource. Filled by the first unknown field: most isolates never see one. */
const known = new Map<string, ReadonlyMap<string, readonly Taker[]>>();

function takersOf(name: string, path: string): readonly Taker[] {
  const resource = resourceOf(path);
  if (resource === null) return [];
  const takers = known.get(resource) ?? takersIn(requestsOf(resource));
  known.set(resource, takers);
  return takers.get(name) ?? [];
}

function sharedSegments(a: string, b: string): number {
  const others = b.split('/');
  const parts = a.split('/').findIndex((segment, index) => segment !== others[index]);
  return parts === -1 ? others.length : parts;
}

/** Where another request of the same resource takes a field; of several, the one whose path is most like the route's. */
export function placeElsewhere({ path }: RouteDeclaration, name: string): Place | null {
  const [nearest] = takersOf(name, path).toSorted(
    (one, other) => sharedSegments(path, other.path) - sharedSegments(path, one.path),
  );
  return nearest === undefined ? null : { belongsAt: nearest.belongsAt, of: nearest.called };
}
