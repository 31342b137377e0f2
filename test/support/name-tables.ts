import { PACKED_READING_TABLES } from '../../scripts/lists/reading-tables.ts';
import { openNameTables } from '../../src/domain/screening/names/tables.ts';

export const nameTables = openNameTables(PACKED_READING_TABLES);
