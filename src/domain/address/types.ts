/** A syntactically valid mailbox (RFC 5321 with RFC 6531), normalised for comparison. */
export interface Address {
  /** As typed, NFC, white space and invisible characters around it removed. */
  readonly local: string;
  /** Lower-case A-labels. */
  readonly domain: string;
  /** Lower-case NFC local part, `@`, domain: what rules, cache, dedupe and hashes compare. */
  readonly normalised: string;
}

/** Why a string is not a mailbox. A closed set for tests and traces, never shown with the input. */
export type AddressFault =
  | 'empty'
  | 'no_at_sign'
  | 'local_empty'
  | 'local_too_long'
  | 'local_syntax'
  | 'domain_empty'
  | 'domain_too_long'
  | 'domain_syntax'
  | 'domain_literal'
  | 'domain_single_label'
  | 'too_long'
  | 'forbidden_character';

export type ParsedAddress =
  | { readonly ok: true; readonly address: Address }
  /** `domain`: the text after the last `@`, normalised where possible, else `""`. */
  | { readonly ok: false; readonly fault: AddressFault; readonly domain: string };

/** `domain`: lower-case A-labels. On a failure: the well-formed name that can't be a mail domain, else `""`. */
export type ParsedDomain =
  | { readonly ok: true; readonly domain: string }
  | { readonly ok: false; readonly fault: AddressFault; readonly domain: string };
