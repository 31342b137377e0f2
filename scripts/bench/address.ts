import isEmail from 'validator/lib/isEmail.js';
import { parseAddress } from '../../src/domain/address/parse.ts';
import { microsecondsEach, ratios, spread, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';

const EACH = 20_000;

/** Addresses as they come in, each spelt differently, so that nothing is remembered between them. */
const KINDS: Readonly<Record<string, readonly ((i: number) => string)[]>> = {
  ordinary: [
    (i) => `ada.lovelace${i}@gmail.com`,
    (i) => `ada+news${i}@company-${i % 97}.co.uk`,
    (i) => `Grace_Hopper.${i}@mail.eu.example.org`,
    (i) => `j${i}@outlook.com`,
  ],
  broken: [
    (i) => `ada.lovelace${i}.gmail.com`,
    (i) => `ada..lovelace${i}@gmail.com`,
    (i) => `ada${i}@-company.example`,
    (i) => `ada lovelace ${i}@gmail.com`,
    (i) => `ada${i}@company`,
  ],
  internationalised: [(i) => `jürgen${i}@bücher-${i % 97}.example`, (i) => `用户${i}@例子.广告`],
};

const OPTIONS = { allow_utf8_local_part: true };

/** Parsing an address (which also normalises it) beside validator's yes or no about the same text. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [kind, spellings] of Object.entries(KINDS)) {
    const texts = Array.from({ length: EACH }, (_, i) => spellings[i % spellings.length]?.(i) ?? '');
    // Flat strings, as a body's are: pieces put together are copied at their first reading.
    const inputs = texts.map((text) => Buffer.from(text).toString());
    const { parse, validator } = await takeTurns({
      parse: microsecondsEach(inputs, (text) => parseAddress(text)),
      validator: microsecondsEach(inputs, (text) => isEmail(text, OPTIONS)),
    });
    const { median: value, range } = spread(ratios(validator, parse));
    const [ours, theirs] = [parse, validator].map((times) => spread(times).median.toFixed(2));
    rows.push({
      name: `isEmail / parse, ${kind} addresses`,
      value,
      range,
      unit: '×',
      ...(kind === 'ordinary' ? { target: { atLeast: 2 } } : {}),
      note: `${theirs} / ${ours} µs; ours normalises too`,
    });
  }
  return rows;
}
