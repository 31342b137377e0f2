import { allLocales, type PersonEntryDefinition } from '@faker-js/faker';
import { isReadByLetters } from '../../src/domain/screening/names/cover.ts';
import { openNameTables } from '../../src/domain/screening/names/tables.ts';
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
