import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNameMatcher } from '../../src/domain/screening/names/index.ts';
import { openRomaniser } from '../../src/domain/screening/names/romanise.ts';

/** The shipped table, read from the repository's file. */
const table = readFileSync(join(import.meta.dirname, '../../src/domain/screening/names/data/romanisation.bin'));

export const roman = openRomaniser(table);
export const matchName = createNameMatcher(table);
