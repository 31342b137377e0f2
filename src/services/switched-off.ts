import { enrichmentId } from '../domain/policy/enrichment.ts';
import { MODEL_ID } from '../domain/privacy/data-handling.ts';
import type { Authorization } from './authorization.ts';
import type { Deps } from './deps.ts';

type Vendors = Pick<Deps, 'providers' | 'enrichmentVendors' | 'model'>;

export function withoutVendors<D extends Vendors>(deps: D, off: readonly string[]): D {
  if (off.length === 0) return deps;
  const gone = new Set(off);
  return {
    ...deps,
    providers: deps.providers.filter(({ id }) => !gone.has(id)),
    enrichmentVendors: deps.enrichmentVendors.filter(({ id }) => !gone.has(enrichmentId(id))),
    model: gone.has(MODEL_ID) ? { ...deps.model, backend: null } : deps.model,
  };
}

/** The same for an authorization; while the object is unreachable no vendor is asked anyway. */
export const reaching = <D extends Vendors>(deps: D, authorization: Authorization): D =>
  authorization.reached ? withoutVendors(deps, authorization.off) : deps;
