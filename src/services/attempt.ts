import type { Admission } from './admission.ts';
import type { AdmittedRequest } from './caller.ts';

/**
 * A request that is answered before it is admitted, under what the object said last to the same key of such addresses. It pays no vendor,
 * learns nothing, and hands its trace over with the question for admission. Each method throws `AttemptEnded` where the request has to
 * be answered again.
 */
export interface Attempt extends Pick<
  AdmittedRequest<Admission>,
  'admitted' | 'commit' | 'reserveProviders' | 'reserveEnrichment'
> {
  /** The object has admitted the request and entered its trace. No answer leaves before. */
  isAdmitted(): boolean;
}

/** `admission`: what the object has answered this request. Null: it was not asked. */
export class AttemptEnded extends Error {
  readonly admission: Admission | null;

  constructor(admission: Admission | null) {
    super('the request has to be answered under its own admission');
    this.admission = admission;
  }
}
