import type { ErrorCode } from '../../contract/error.ts';
import type { PersonClaims } from '../../domain/access/member-records.ts';
import type { DomainError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import type { KeyCaller, ObjectExchange } from '../../services/object-exchange.ts';

/** A JSON body. A fault is a value: key and role are checked before it is refused. */
export interface ReadBody {
  readonly text: string;
  readonly value: unknown;
  readonly fault: DomainError | null;
}

/** A request's variables. Read them with `c.get`: `c.var` copies all of them each time. */
export interface HttpEnv {
  Bindings: Env;
  Variables: {
    deps: ServiceDeps;
    /** `rq_` id: the `trace_id` of errors and of answers without one. */
    requestId: Id<'rq'>;
    /** The route's declared path; absent when none matched. */
    route?: string;
    startedAt: number;
    /** The person behind a dashboard request; undefined for a key. */
    person: PersonClaims | undefined;
    caller: KeyCaller | PersonClaims;
    /** The JSON body, if the route takes one. */
    body?: ReadBody;
    /** Absent until the input is read. */
    exchange?: ObjectExchange;
    errorCode?: ErrorCode;
  };
}
