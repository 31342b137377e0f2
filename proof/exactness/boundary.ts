import type { Usage } from '../../src/contract/account.ts';
import { type Answer, CLIENTS, type Organisation, type Sent, type World } from './world.ts';

type Counted = string | number | boolean | null | undefined;
/** Counts at the end, by name: actual and expected. */
export type Counters = Readonly<Record<string, readonly [is: Counted, should: Counted]>>;

/** A prepared boundary: a fresh organisation and its requests. */
export interface Staged {
  send(at: number): Sent;
  /** Work beside the requests. */
  readonly beside?: () => Promise<unknown>;
  after(answers: readonly Answer[]): Promise<Counters>;
}

export interface Boundary {
  readonly what: string;
  readonly boundary: string;
  readonly requests: number;
  /** How many requests must succeed. */
  readonly authorized: number;
  /** The other answers: statuses with their codes; empty if all must succeed. */
  readonly refused: readonly string[];
  /** What counts as authorized. Default: a success. */
  readonly isAuthorized?: (answer: Answer) => boolean;
  /** Whether all requests must fall into one minute. */
  readonly isOfOneMinute?: true;
  stage(world: World): Promise<Staged>;
}

export const isSuccess = ({ status }: Answer): boolean => status < 300;
export const isAuthorized = ({ isAuthorized: own = isSuccess }: Boundary, answer: Answer): boolean => own(answer);

/** Twice what most boundaries allow. */
export const REQUESTS = 3 * CLIENTS;
export const PLACES = 100;
export const CALLS = 40;

export const usageOf = ({ must }: World, { member }: Organisation): Promise<Usage> =>
  must({ method: 'GET', path: '/v1/usage', key: member });
/** Each is at a domain of its own, whose provider is worth asking. */
export const someone = (start: string, at: number): string => `${start}-${at}@d${at}.google-workspace.test`;
export const post = (path: string, key: string, body: object, headers = {}): Sent => ({
  method: 'POST',
  path: `/v1/${path}`,
  key,
  body,
  headers,
});
export const usd = (calls: number, price: number): number => Math.round(calls * price * 1e6) / 1e6;

export const BY_COUNTRY = {
  name: 'By country',
  rules: [{ id: 'de', when: { path: 'company.country', op: 'eq', value: 'DE' }, decision: 'review' }],
  default: 'allow',
};
