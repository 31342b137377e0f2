import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackedReadingTables } from '../../src/domain/screening/names/tables.ts';

const data = (file: string): Uint8Array =>
  readFileSync(join(import.meta.dirname, '../../src/domain/screening/names/data', file));

/** The tables that names are read by. Apart from the known names, which are collected with them. */
export const PACKED_READING_TABLES: PackedReadingTables = {
  romanisation: data('romanisation.bin'),
  nicknames: data('nicknames.bin'),
  nativeNames: data('native-names.bin'),
  japaneseNames: data('japanese-names.bin'),
};
