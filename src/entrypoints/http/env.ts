import type { ErrorCode } from '../../contract/error.ts';
import type { PersonClaims } from '../../domain/access/member-records.ts';
import type { DomainError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import type { KeyCaller, ObjectExchange } from '../../services/object-exchange.ts';

/** A JSON body. Its fault is a value: key and role are checked before it is refused. */
export interface ReadBody {
  readonly text: string;
  readonly value: unknown;
  readonly fault: DomainError | null;
}

/** What a request carries along. Read it with `c.get`: `c.var` copies all of it each time. */
export interface HttpEnv {
  Bindings: Env;
  Variables: {
    deps: ServiceDeps;
    /** `rq_` id: the `trace_id` of errors and of answers that name none. */
    requestId: Id<'rq'>;
    /** The route's declared path; absent when none matched. */
    route?: string;
    /** Service time of its arrival. */
    startedAt: number;
    /** Who asks through the dashboard; undefined: a key does. */
    person: PersonClaims | undefined;
    /** Whose key has the right form and MAC, or the person. */
    caller: KeyCaller | PersonClaims;
    /** The JSON body, where the route takes one. */
    body?: ReadBody;
    /** Absent until the input is read. */
    exchange?: ObjectExchange;
    errorCode?: ErrorCode;
  };
}
