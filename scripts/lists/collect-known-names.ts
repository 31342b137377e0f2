import { allLocales, type PersonEntryDefinition } from '@faker-js/faker';
import { openNameTables } from '../../src/domain/screening/names/tables.ts';
import { readName } from '../../src/domain/screening/names/tokens.ts';
import { PACKED_READING_TABLES } from './reading-tables.ts';
import { NATIVE_NAMES } from './tables/native-names.ts';
import { NICKNAMES } from './tables/nicknames.ts';

const TABLES = openNameTables(PACKED_READING_TABLES);

const namesIn = ({ generic = [], female = [], male = [] }: PersonEntryDefinition<string> = {}): string[] => [
  ...generic,
  ...female,
  ...male,
];

/** How a name is written in an address: its words, and all of them joined (`delacruz`). Of another alphabet the likeliest reading. */
function formsOf(name: string): string[] {
  const { tokens } = readName(TABLES, name, 'chinese');
  const first = tokens.map(({ spellings: [form = ''] }) => form);
  const read = tokens.flatMap(({ writing, spellings }, i) => (writing === 'latin' ? spellings : (first[i] ?? '')));
  const legible = tokens.every(({ writing }) => writing === 'latin' || writing === 'alphabet');
  return legible ? [...read, first.join('')] : [];
}

/**
 * Given and family names that people bear, as ASCII letters: those of fifty languages out of a fake-data library, which has them
 * from statistical offices and its users, and those of our own tables.
 */
export function collectKnownNames(): Set<string> {
  const faker = Object.values(allLocales).flatMap(({ person }) =>
    [person?.first_name, person?.middle_name, person?.last_name].flatMap((entry) => namesIn(entry ?? undefined)),
  );
  const own = [
    ...NICKNAMES.flatMap(({ groups }) => groups.split(/[| ]/)),
    ...NATIVE_NAMES.flatMap(({ rows }) => rows.split('|')).flatMap((row) => row.slice(row.indexOf('=') + 1).split(' ')),
  ];
  const forms = [...new Set(faker)].flatMap(formsOf);
  return new Set([...forms, ...own].filter((name) => name.length > 1));
}
