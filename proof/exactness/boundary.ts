import type { Usage } from '../../src/contract/account.ts';
import { type Answer, CLIENTS, type Organisation, type Sent, type World } from './world.ts';

type Counted = string | number | boolean | null | undefined;
/** What is counted when all is over, by its name: as it is, and as it should be. */
export type Counters = Readonly<Record<string, readonly [is: Counted, should: Counted]>>;

/** A boundary made ready: an organisation of its own that nothing has touched. */
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
  /** How many of the requests are to have what they ask for. */
  readonly authorized: number;
  /** What the others are answered: statuses with their codes. Empty: there are no others. */
  readonly refused: readonly string[];
  /** What counts as authorized. Default: a success. */
  readonly isAuthorized?: (answer: Answer) => boolean;
  /** A minute has to hold all of it. */
  readonly isOfOneMinute?: true;
  stage(world: World): Promise<Staged>;
}

export const isSuccess = ({ status }: Answer): boolean => status < 300;
export const isAuthorized = ({ isAuthorized: own = isSuccess }: Boundary, answer: Answer): boolean => own(answer);

/** Twice the place that most boundaries have. */
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
