import type { RouteDeclaration } from '../contract/route.ts';
import type { Admission, Admitted } from './admission.ts';

/**
 * The verification family, which is metered, is served while the organisation's object is out of reach: the key's MAC has to do
 * then. All other verbs need the object's word on the key.
 */
export const servesUnreached = ({ meter }: Pick<RouteDeclaration, 'meter'>): boolean => meter !== null;

/** The admission with which a route's verb runs. */
export type AdmissionOf<R extends RouteDeclaration> = R['meter'] extends null ? Admitted : Admission;

export const isAdmissionOf = <R extends RouteDeclaration>(
  route: R,
  admission: Admission,
): admission is AdmissionOf<R> => admission.reached || servesUnreached(route);
