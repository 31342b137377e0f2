import type { ProviderVerdict } from '../../../../src/domain/belief/provider.ts';

/** A request as a vendor's server sees it. */
export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | null;
  /** The body's JSON; undefined without one. */
  readonly json: unknown;
}

/** A parsed request. */
export interface Question {
  readonly key: string;
  readonly email: string;
  /** The vendor's own time for the check: its timeout parameter where it has one. */
  readonly patienceMs: number;
}

/** A vendor's finding about an address, before it is put into its wire form. */
export interface Statement {
  readonly email: string;
  readonly verdict: ProviderVerdict;
  /** It has found that the domain accepts everything. */
  readonly acceptsAll: boolean;
  readonly role: boolean;
  /** A consumer provider's mailbox. */
  readonly consumer: boolean;
  /** A whole number that picks among the vendor's words for the same thing. */
  readonly variant: number;
}

/** `json`: text is sent unchanged. */
export interface WireReply {
  readonly status: number;
  readonly json: unknown;
}

/** `billed`: whether the vendor charges it, by its own published rule (without one: it does). */
export type WireAnswer = WireReply & { readonly billed: boolean };

/** One vendor's single check on the wire. Sources: the adapter of the same name. */
export interface WireForm {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Null when a parameter that must be there is missing. */
  read(incoming: Incoming): Question | null;
  readonly badRequest: WireReply;
  readonly badKey: WireReply;
  readonly noCredit: WireReply;
  readonly rateLimited: WireReply;
  answer(statement: Statement): WireAnswer;
  /** The answer after the vendor's own time limit; default: its form of `unknown`. */
  readonly stillWorking?: WireAnswer;
}

export const pick = <T>(ways: readonly [T, ...T[]], variant: number): T => ways[variant % ways.length] ?? ways[0];

export const localOf = (email: string): string => email.slice(0, email.lastIndexOf('@'));
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** A parameter in seconds as milliseconds, within the vendor's range; its default when absent. */
export function secondsAsMs(text: string | null, defaultS: number, min: number, max: number): number {
  const seconds = text === null ? defaultS : Number(text);
  return Math.min(Math.max(seconds, min), max) * 1_000;
}

export const bearer = (header: string | null): string => (header?.startsWith('Bearer ') ? header.slice(7) : '');
