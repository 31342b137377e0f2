import type * as z from 'zod';
import type { RouteDeclaration } from './route.ts';
import { ROUTES } from './routes.ts';

/** A place that takes a field of some name. */
export interface Place {
  readonly belongsAt: string;
  /** The other request that takes it there; null for the same request. */
  readonly of: string | null;
}

/** A field in the wrong place, and the right place. */
export interface Misplaced extends Place {
  readonly path: readonly (string | number)[];
}

/** Finds the place of a field that this request takes nowhere. */
export type Elsewhere = (name: string) => Place | null;

type Definition = z.core.$ZodTypes['_zod']['def'];
type Fields = Readonly<Record<string, z.core.$ZodType>>;

/** The schema of the value itself, without `optional`, `default`, `preprocess` and the like. */
function bare(schema: z.core.$ZodType): Definition {
  const def = (schema as z.ZodType).def as Definition;
  if ('innerType' in def) return bare(def.innerType);
  if (def.type !== 'pipe') return def;
  return bare((def.in as z.ZodType).def.type === 'transform' ? def.out : def.in);
}

/**
 * The objects that a schema takes at one place, including each member of a union. Free-form objects are left out: their
 * fields are unknown.
 */
function objectsOf(schema: z.core.$ZodType): Fields[] {
  const def = bare(schema);
  if (def.type === 'union') return def.options.flatMap((option) => objectsOf(option));
  return def.type === 'object' && !isFreeForm(def) ? [def.shape] : [];
}

/** A strict object refuses unknown fields, so all of its fields are known. */
const isFreeForm = ({ catchall }: Extract<Definition, { type: 'object' }>): boolean =>
  catchall !== undefined && (catchall as z.ZodType).def.type !== 'never';

function itemsOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  const def = bare(schema);
  return def.type === 'array' ? def.element : null;
}

/** Every field's name, with the places that take it. */
function placesOf(schema: z.core.$ZodType, at: string, places = new Map<string, string[]>()): Map<string, string[]> {
  for (const fields of objectsOf(schema)) {
    for (const [name, inner] of Object.entries(fields)) {
      const path = at === '' ? name : `${at}.${name}`;
      places.set(name, [...(places.get(name) ?? []), path]);
      const items = itemsOf(inner);
      placesOf(items ?? inner, items === null ? path : `${path}[]`, places);
    }
  }
  return places;
}

const isRequired = (schema: z.core.$ZodType): boolean => !(schema as z.ZodType).safeParse(undefined).success;

/** The forms whose required fields the value has, else all forms. */
function formsOf(schema: z.core.$ZodType, value: object): Fields[] {
  const forms = objectsOf(schema);
  if (forms.length === 1) return forms;
  const whole = forms.filter((fields) =>
    Object.entries(fields).every(([name, inner]) => name in value || !isRequired(inner)),
  );
  return whole.length > 0 ? whole : forms;
}

type Path = Misplaced['path'];

function find(schema: z.core.$ZodType, value: unknown, path: Path, placeOf: Elsewhere): Misplaced | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    const steps = items === null ? [] : value.map((each, at): Step => [items, each, [...path, at]]);
    return first(steps, placeOf);
  }
  const forms = formsOf(schema, value);
  if (forms.length === 0) return null;
  for (const name of Object.keys(value)) {
    const place = forms.some((fields) => Object.hasOwn(fields, name)) ? null : placeOf(name);
    if (place !== null) return { path: [...path, name], ...place };
  }
  const inner = forms.flatMap((fields) =>
    Object.entries(fields).map(([name, each]): Step => [
      each,
      (value as Record<string, unknown>)[name],
      [...path, name],
    ]),
  );
  return first(inner, placeOf);
}

type Step = readonly [schema: z.core.$ZodType, value: unknown, path: Path];

function first(steps: readonly Step[], placeOf: Elsewhere): Misplaced | null {
  for (const [schema, value, path] of steps) {
    const found = find(schema, value, path, placeOf);
    if (found !== null) return found;
  }
  return null;
}

const known = new WeakMap<z.ZodType, Map<string, string[]>>();

/** The first misplaced field of a request: its schema takes it elsewhere, or another request does; else null. */
export function findMisplaced(schema: z.ZodType, value: unknown, elsewhere: Elsewhere = () => null): Misplaced | null {
  const places = known.get(schema) ?? placesOf(schema, '');
  known.set(schema, places);
  return find(schema, value, [], (name) => {
    const [belongsAt] = places.get(name) ?? [];
    return belongsAt === undefined ? elsewhere(name) : { belongsAt, of: null };
  });
}

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

/** A path's resource: `/v1/bulk`, `/operator/v1/organisations`. Its callers know the fields of all its requests. */
const resourceOf = (path: string): string | null => /^(?:\/operator)?\/v1\/[^/]+/.exec(path)?.[0] ?? null;

const requestsOf = (resource: string): Request[] =>
  Object.values<RouteDeclaration>(ROUTES)
    .filter(({ path }) => resourceOf(path) === resource)
    .map((route) => ({ called: `${route.method.toUpperCase()} ${route.path}`, route }));

/** An entry's fields (`events[].at`) are not the request's. */
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

/** By resource. Filled on the first unknown field: most isolates never see one. */
const takersByResource = new Map<string, ReadonlyMap<string, readonly Taker[]>>();

function takersOf(name: string, path: string): readonly Taker[] {
  const resource = resourceOf(path);
  if (resource === null) return [];
  const takers = takersByResource.get(resource) ?? takersIn(requestsOf(resource));
  takersByResource.set(resource, takers);
  return takers.get(name) ?? [];
}

function sharedSegments(a: string, b: string): number {
  const others = b.split('/');
  const parts = a.split('/').findIndex((segment, index) => segment !== others[index]);
  return parts === -1 ? others.length : parts;
}

/** Where another request of the same resource takes a field; of several, the one whose path is most similar. */
export function placeElsewhere({ path }: RouteDeclaration, name: string): Place | null {
  const [nearest] = takersOf(name, path).toSorted(
    (one, other) => sharedSegments(path, other.path) - sharedSegments(path, one.path),
  );
  return nearest === undefined ? null : { belongsAt: nearest.belongsAt, of: nearest.called };
}
