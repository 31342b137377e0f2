import * as z from 'zod';

/** Body limits, in bytes; KB are 1,024-based. */
export const BODY_LIMIT = {
  address: 16 * 1024,
  /** Rule-list changes, bulk paste. */
  list: 512 * 1024,
  /** A whole bounce message, an event batch, a policy. */
  document: 256 * 1024,
  /** A mail service's batch of events. */
  webhook: 1024 * 1024,
} as const;

/** The submitted address. Any string up to 320 characters gets an answer; invalid syntax is a finding, not an error. */
export const EmailInput = z.string().min(1).max(320).describe('The address to verify, up to 320 characters.');

/** An address as stored and shown: the same however it was typed. */
export const Display = z
  .string()
  .describe('First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.');

export const DidYouMean = z
  .string()
  .describe(
    'The corrected address, if its domain is a typo of a well-known one or it has surroundings such as brackets. Ask the person.',
  );

/** Text for people: no control characters, no lone surrogates. */
export const Name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{C}+$/u, 'must not contain control characters')
  .describe('A name for people, up to 200 characters.');

export const SentEmail = z.string().describe('The address as you sent it.');

export const TraceId = z
  .string()
  .describe(
    'Names this answer: `vr_…` of a verification, `dc_…` of a decision, `sc_…` of a screening, `ck_…` of a check. Quote it in reports and to support.',
  );

export const EpochSeconds = z.number().int().describe('Epoch seconds.');
export const Usd = z.number().min(0).describe('US dollars, at most 6 decimals.');
export const Probability = z.number().min(0).max(1).describe('From 0 to 1.');
export const LatencyMs = z.number().int().min(0).describe('Wall-clock milliseconds.');

const DECIMAL_DIGITS = /^(?:0|[1-9]\d*)$/;

/** A whole number in a query. `Number()` also reads `0x5`, `1e1` and ` 1`, which are mistakes of the caller. */
export const wholeNumber = (min: number, max: number) =>
  z.preprocess((text, context) => {
    if (typeof text === 'string' && DECIMAL_DIGITS.test(text)) return Number(text);
    context.addIssue('must be a whole number in decimal digits');
    return z.NEVER;
  }, z.int().min(min).max(max));

/** Versions count from 1; a larger number is none. */
export const VERSION_MAX = 999_999_999;

/** Query parameters that limit a list to a period. */
export const Period = {
  from: wholeNumber(0, 1e11).optional().describe('Epoch seconds: rows of then and later.'),
  to: wholeNumber(0, 1e11).optional().describe('Epoch seconds: earlier rows.'),
};

/** A domain as a filter, as rows show it: lower case, A-labels. */
export const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(255)
  .describe('Rows of addresses at this domain, not at its subdomains.');

export const Paging = z.object({
  limit: wholeNumber(1, 200).default(50).describe('The highest number of rows on a page.'),
  cursor: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The `cursor` of the previous page; omit it for the first page.'),
});

export const NextCursor = z
  .string()
  .nullable()
  .describe('Send it as `cursor` for the next page. Null on the last page.');

export const Done = z.object({ done: z.literal(true).describe('It is done.') });

/** A request's body as its route declares it. */
export const bodyOf = <S extends z.ZodType>(schema: S, limit: keyof typeof BODY_LIMIT, example: unknown) =>
  ({ schema, limitBytes: BODY_LIMIT[limit], example }) as const;
