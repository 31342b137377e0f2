import { encode } from '@leichtgewicht/dns-packet';
import fc from 'fast-check';
import { storedTextFault } from '../../src/contract/stored-text.ts';
import { decodeALabels, toALabels } from '../../src/domain/address/idna.ts';
import { parseAddress } from '../../src/domain/address/parse.ts';
import { detect } from '../../src/domain/bulk/csv/detect.ts';
import { CsvScanner } from '../../src/domain/bulk/csv/scan.ts';
import { extractSmtpCodes } from '../../src/domain/feedback/bounces/codes.ts';
import { compilePolicy } from '../../src/domain/policy/compile.ts';
import { parsePolicy } from '../../src/domain/policy/document.ts';
import { decodeAnswer } from '../../src/integrations/dns-over-https.ts';
import { createMailServices } from '../../src/integrations/mail-services/mail-services.ts';
import { readStripeWebhook } from '../../src/integrations/stripe.ts';
import { EVENTS } from '../../test/support/mail-services.ts';
import { broken, hostile } from './values.ts';

const bytes = fc.uint8Array({ maxLength: 400 }).map((each) => Uint8Array.from(each));
const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'grapheme', maxLength: 80 }));

/** Valid bytes with a few of them changed. */
const damaged = (right: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array<ArrayBuffer>> =>
  fc
    .tuple(right, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 6 }), fc.nat())
    .map(([whole, changes, cut]) => {
      const copy = Uint8Array.from(whole);
      for (const [at, byte] of changes) copy[at % Math.max(1, copy.length)] = byte;
      return cut % 3 === 0 ? copy.slice(0, cut % (copy.length + 1)) : copy;
    });

const NAME = 'business.test';
const DNS = fc
  .array(fc.tuple(fc.constantFrom('MX', 'CNAME', 'A'), fc.nat({ max: 2 ** 31 })), { maxLength: 5 })
  .map((records) =>
    encode({
      type: 'response',
      id: 0,
      questions: [{ type: 'MX', name: NAME }],
      answers: records.map(([type, ttl], at) => {
        if (type === 'MX') return { type, name: NAME, ttl, data: { preference: at, exchange: `mx${at}.${NAME}` } };
        if (type === 'A') return { type, name: NAME, ttl, data: '192.0.2.1' };
        return { type: 'CNAME' as const, name: NAME, ttl, data: `x${at}.${NAME}` };
      }),
    }),
  );

const UNASKED = { hasHeader: null, emailColumn: null };
const CELLS = [
  'email',
  'ada@business.test',
  '"',
  '""',
  ',',
  ';',
  '\t',
  '\r\n',
  '\n',
  '\r',
  '\ufeff',
  '=1',
  'é',
  '\0',
  '"a@b.c"',
];
const CSV = fc
  .array(fc.constantFrom(...CELLS), { maxLength: 60 })
  .map((cells) => new TextEncoder().encode(cells.join('')));

const SMTP = fc
  .array(
    fc.constantFrom(
      '550',
      '5.1.1',
      '-',
      ' ',
      '\r\n',
      '5.',
      '999.999.999',
      '#',
      '<a@b.c>',
      'User unknown',
      '4.2.2',
      '\u0660',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

/** Deliveries, bounces and complaints as mail services report them. */
const REPORTS = fc.constantFrom(
  ...Object.values(EVENTS).flatMap((events) => Object.values(events).map(({ event }) => event)),
);
const MAIL = createMailServices({ fetch: () => Promise.reject(new Error('asked')), baseUrl: null });

const POLICY = {
  name: 'x',
  default: 'allow',
  rules: [
    { id: 'a', when: { any: [{ path: 'verification.email_type', op: 'in', value: ['free'] }] }, decision: 'deny' },
    { id: 'b', when: { not: { path: 'attributes.plan', op: 'eq', value: 'x' } }, decision: 'review' },
  ],
};

/** Reads so many values, always the same for a seed. The first that failed, in words; null means none did. */
type Check = (count: number, seed: number) => string | null;

const parser =
  <T>(values: fc.Arbitrary<T>, read: (value: T) => void): Check =>
  (numRuns, seed) => {
    const { failed, counterexample, errorInstance } = fc.check(fc.property(values, read), { numRuns, seed });
    return failed ? `${String(errorInstance)}: ${JSON.stringify(counterexample).slice(0, 200)}` : null;
  };
const require = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what);
};

/** The parsers of foreign input. A parser returns a result or a refusal, and never throws. */
export const PARSERS: Readonly<Record<string, Check>> = {
  'CSV: how a file is written': parser(fc.oneof(CSV, damaged(CSV), bytes), (sample) => {
    detect(sample, true, UNASKED);
    detect(sample, false, { emailColumn: 3, hasHeader: true });
  }),
  'CSV: its rows, in pieces': parser(fc.tuple(fc.oneof(CSV, bytes), fc.nat({ max: 40 })), ([file, cut]) => {
    const layout = detect(file, true, UNASKED);
    if (typeof layout === 'string') return;
    const ends = (pieces: readonly Uint8Array[]): string => {
      const seen: number[] = [];
      const scanner = new CsvScanner(layout.dialect, 0, { row: (from, to, cells) => void seen.push(from, to, cells) });
      for (const piece of pieces) scanner.write(piece);
      return `${scanner.end()} ${seen.join()}`;
    };
    require(ends([file]) === ends([file.subarray(0, cut), file.subarray(cut)]), 'a file cut in two has other rows');
  }),
  'SMTP codes of a bounce': parser(fc.oneof(SMTP, texts), (text) => void extractSmtpCodes(text)),
  'DNS answers': parser(fc.oneof(DNS, damaged(DNS), bytes), (packet) => void decodeAnswer(packet, NAME, 'MX')),
  'Domain names of other scripts (IDNA)': parser(texts, (text) => {
    const ascii = toALabels(text);
    if (ascii !== null) decodeALabels(ascii);
  }),
  Addresses: parser(
    fc.oneof(
      texts,
      fc.tuple(texts, texts).map(([local, domain]) => `${local}@${domain}`),
      fc.emailAddress(),
    ),
    (text) => {
      const parsed = parseAddress(text);
      if (parsed.ok) require(parseAddress(parsed.address.normalised).ok, 'a normal form is no address');
    },
  ),
  'Webhooks of mail services (SNS and DSN among them)': parser(
    fc.oneof(REPORTS, REPORTS.chain(broken), hostile),
    (body) => {
      for (const service of Object.values(MAIL)) service.read(JSON.stringify(body) ?? '');
    },
  ),
  'Webhooks that are no JSON': parser(texts, (text) => {
    for (const service of Object.values(MAIL)) service.read(text);
    readStripeWebhook(text);
  }),
  'Webhooks of Stripe': parser(
    fc.oneof(REPORTS.chain(broken), hostile),
    (body) => void readStripeWebhook(JSON.stringify(body) ?? ''),
  ),
  Policies: parser(fc.oneof(fc.constant<unknown>(POLICY).chain(broken).chain(broken), hostile), (body) => {
    const parsed = parsePolicy(body, storedTextFault);
    if (parsed.ok) compilePolicy(parsed.value);
  }),
};
