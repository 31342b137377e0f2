import type { ErrorCode } from '../../contract/error.ts';
import type { PersonClaims } from '../../domain/access/member-records.ts';
import type { Id } from '../../kernel/ids.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import type { ObjectExchange } from '../../services/object-exchange.ts';

/** What a request carries along. Read it with `c.get`: `c.var` copies all of it each time. */
export interface HttpEnv {
  Bindings: Env;
  Variables: {
    deps: ServiceDeps;
    /** `rq_` id: the `trace_id` of errors and of answers that name none. */
    requestId: Id<'rq'>;
    /** The route's declared path; absent when none matched. */
    route?: string;
    /** Who asks at the dashboard's door; undefined: a key does. */
    person: PersonClaims | undefined;
    /** Absent until the key's MAC is checked. */
    exchange?: ObjectExchange;
    errorCode?: ErrorCode;
  };
}
