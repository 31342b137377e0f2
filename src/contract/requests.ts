import { type Place, placesOf } from './misplaced.ts';
import type { RouteDeclaration } from './route.ts';
import { ROUTES } from './routes.ts';
import { TOOLS, toolRoute } from './tools.ts';

/** A request with a body: what its caller calls it, and the place of each field it takes. */
interface Request {
  readonly called: string;
  readonly path: string;
  readonly places: ReadonlyMap<string, string>;
}

/** An entry of a list is one thing of many: its fields (`events[].at`) are known to no other request. */
const isOfRequest = (place: string): boolean => !place.includes('[]');

function requestOf(called: string, { path, body }: RouteDeclaration): Request {
  const places = new Map<string, string>();
  for (const [name, at] of body === undefined ? [] : placesOf(body.schema, '')) {
    const place = at.find(isOfRequest);
    if (place !== undefined) places.set(name, place);
  }
  return { called, path, places };
}

const routesBelow = (prefix: string): Request[] =>
  Object.values<RouteDeclaration>(ROUTES)
    .filter(({ path }) => path.startsWith(prefix))
    .map((route) => requestOf(`${route.method.toUpperCase()} ${route.path}`, route));

/** Who uses one need not know of the others: a field of one is unknown to the rest. */
const APIS: readonly { readonly prefix: string; readonly list: () => readonly Request[] }[] = [
  { prefix: '/v1/', list: () => routesBelow('/v1/') },
  { prefix: '/operator/v1/', list: () => routesBelow('/operator/v1/') },
  { prefix: '/mcp/', list: () => TOOLS.map((tool) => requestOf(tool.name, toolRoute(tool))) },
];

/** By prefix, once an unknown field has asked for them. */
const listed = new Map<string, readonly Request[]>();

function requestsBeside(path: string): readonly Request[] {
  const api = APIS.find(({ prefix }) => path.startsWith(prefix));
  if (api === undefined) return [];
  const requests = listed.get(api.prefix) ?? api.list();
  listed.set(api.prefix, requests);
  return requests;
}

function sharedSegments(a: string, b: string): number {
  const others = b.split('/');
  const parts = a.split('/').findIndex((segment, index) => segment !== others[index]);
  return parts === -1 ? others.length : parts;
}

/** Where the API knows a field that a route doesn't: of several requests the one whose path is most like the route's, else the first. */
export function placeElsewhere({ path }: RouteDeclaration, name: string): Place | null {
  let nearest: Request | null = null;
  for (const request of requestsBeside(path)) {
    const isNearer = nearest === null || sharedSegments(path, request.path) > sharedSegments(path, nearest.path);
    if (request.places.has(name) && isNearer) nearest = request;
  }
  const belongsAt = nearest?.places.get(name);
  return nearest === null || belongsAt === undefined ? null : { belongsAt, of: nearest.called };
}
