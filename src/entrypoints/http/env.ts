import type { ErrorCode } from '../../contract/error.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Services } from '../../runtime/services.ts';
import type { OpenOperation } from '../../services/frame.ts';

/** What a request carries through the middleware, and nothing else. */
export interface HttpEnv {
  Bindings: Env;
  Variables: {
    services: Services;
    /** `rq_` id: the `trace_id` of errors and of answers that name none. */
    requestId: Id<'rq'>;
    /** The route's declared path; absent when none matched. */
    route?: string;
    /** Set once the key's MAC is checked. */
    operation?: OpenOperation;
    /** On the one route that takes it, once it is checked. */
    bootstrapToken?: string;
    errorCode?: ErrorCode;
  };
}
