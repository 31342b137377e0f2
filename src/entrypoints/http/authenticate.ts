import type { Context, MiddlewareHandler } from 'hono';
import type { RouteDeclaration } from '../../contract/route.ts';
import type { Role } from '../../domain/access/key-format.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type IdPrefix, newId } from '../../kernel/ids.ts';
import { readJsonBody, uploadFault } from './body.ts';
import type { HttpEnv } from './env.ts';

/** RFC 6750, with the scheme in any case (RFC 9110). */
const BEARER = /^bearer +(\S+)$/i;

/** Printable ASCII without the space. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

const TRACE_PREFIX: Record<NonNullable<RouteDeclaration['meter']> | 'none', IdPrefix> = {
  verify: 'vr',
  check: 'ck',
  screen: 'sc',
  decide: 'dc',
  none: 'rq',
};

/** For the one route that makes an operator key where there is none: proof of holding the service secret. */
export const authenticateBootstrap: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const token = bearer(c);
  if (!c.var.services.isBootstrapToken(token)) {
    throw new DomainError('unauthorized', 'The bootstrap token is missing, wrong or out of time.');
  }
  c.set('bootstrapToken', token);
  await next();
};

/**
 * Checks the key's form and MAC (no I/O), reads the body and opens the operation. Whether the key is alive, and its role,
 * is asked of the organisation's object in one exchange with everything else.
 */
export const authenticate =
  (routeId: string, route: RouteDeclaration): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const { services } = c.var;
    const key = bearer(c);
    const claims = services.readKey(key);
    if (claims === null)
      throw new DomainError(
        'unauthorized',
        'The API key is missing, malformed or revoked: send `Authorization: Bearer <API_KEY>`.',
      );

    const startedAt = services.now();
    const body = route.body
      ? await readJsonBody(c, route, route.body.limitBytes)
      : { text: '', fault: route.upload ? uploadFault(c, route.upload) : null };
    const idempotencyKey = route.idempotent === true ? c.req.header('Idempotency-Key') : undefined;
    const operator = route.access === 'operator';
    const operation = services.openOperation({
      claims,
      key,
      traceId: newId(TRACE_PREFIX[route.meter ?? 'none'], startedAt),
      startedAt,
      needs: {
        ...{ role: operator ? 'admin' : (route.access as Role), operator, rate: route.rate, meter: route.meter },
        live: route.live === true,
      },
      servesUnreached: route.meter !== null,
      idempotency: idempotencyKey === undefined ? null : { key: idempotencyKey, route: routeId, body: body.text },
    });
    c.set('operation', operation);
    if (body.fault) await refuseFaulty(c, body.fault);
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
      await refuseFaulty(
        c,
        new DomainError('invalid_request', 'Idempotency-Key must be 1 to 128 visible ASCII characters.'),
      );
    }
    await next();
  };

/** Settles key and role first (401, 403), then refuses the request for what it holds. Charges nothing. */
export async function refuseFaulty(c: Context<HttpEnv>, fault: DomainError): Promise<never> {
  await c.var.operation?.admitFaulty();
  throw fault;
}

function bearer(c: Context<HttpEnv>): string {
  return BEARER.exec(c.req.header('Authorization') ?? '')?.[1] ?? '';
}
