import { allLocales, type PersonEntryDefinition } from '@faker-js/faker';
import { isReadByLetters } from '../../src/domain/screening/names/cover.ts';
import {
  BUCKETS,
  KNOWN_NAMES_FORM,
  openKnownNames,
  openNameTables,
  placeOf,
} from '../../src/domain/screening/names/tables.ts';
import { readName } from '../../src/domain/screening/names/tokens.ts';
import { PACKED_READING_TABLES } from './reading-tables.ts';
import { censusNames, NATIVE_NAMES, NICKNAMES } from './tables.ts';

const TABLES = openNameTables(PACKED_READING_TABLES);

const namesIn = (entry: PersonEntryDefinition<string> | null | undefined): string[] =>
  [entry?.generic, entry?.female, entry?.male].flatMap((names) => names ?? []);

/** Written out in two letters by their own people. */
const UMLAUTS = /[äöüßåø]/;

/**
 * How a name is written in an address: its words, and all of them joined (`delacruz`). The likeliest spelling alone: most of
 * the others are not names.
 */
function formsOf(name: string): string[] {
  const { tokens } = readName(TABLES, name, 'chinese');
  if (!tokens.every(isReadByLetters)) return [];
  const first = tokens.map(({ spellings: [form = ''] }) => form);
  const writtenOut = UMLAUTS.test(name.toLowerCase()) ? tokens.flatMap(({ spellings }) => spellings) : [];
  return [...first, ...writtenOut, first.join('')];
}

/**
 * Given and family names that people bear, as ASCII letters: those of fifty languages out of a fake-data library, which has them
 * from statistical offices and its users, the commonest of a census, and those of our own tables.
 */
export function collectKnownNames(): Set<string> {
  const faker = Object.values(allLocales).flatMap(({ person }) =>
    [person?.first_name, person?.middle_name, person?.last_name].flatMap(namesIn),
  );
  const others = [
    ...censusNames(),
    ...NICKNAMES.flatMap(({ lines }) => lines).flatMap((line) => line.split(' ')),
    ...NATIVE_NAMES.flatMap(({ lines }) => lines).flatMap((row) => row.slice(row.indexOf('=') + 1).split(' ')),
  ];
  const forms = [...new Set(faker)].flatMap(formsOf);
  return new Set([...forms, ...others].filter((name) => name.length > 1));
}

/** Packs names as `known-names.ts` reads them. The same names give the same bytes, whatever their order. */
export function packKnownNames(names: Iterable<string>): Uint8Array {
  const kept = new Set(names);
  const buckets = Array.from({ length: BUCKETS }, () => new Set<number>());
  for (const name of kept) {
    const [bucket, mark] = placeOf(name);
    buckets[bucket]?.add(mark);
  }
  const marks = buckets.flatMap((bucket) => [...bucket].sort((a, b) => a - b));
  const head = Buffer.from(`${KNOWN_NAMES_FORM}\n`);
  const bytes = Buffer.alloc(head.length + 2 * (BUCKETS + marks.length));
  bytes.set(head);
  let end = 0;
  buckets.forEach((bucket, i) => {
    end += bucket.size;
    bytes.writeUInt16LE(end, head.length + 2 * i);
  });
  marks.forEach((mark, i) => bytes.writeUInt16LE(mark, head.length + 2 * (BUCKETS + i)));
  const isKnown = openKnownNames(bytes);
  for (const name of kept) if (!isKnown(name)) throw new Error(`${name} does not read back from the packed names`);
  return bytes;
}
