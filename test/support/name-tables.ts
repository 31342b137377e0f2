import { PACKED_NAME_TABLES } from '../../scripts/lists/shipped.ts';
import { openNameTables } from '../../src/domain/screening/names/tables.ts';

export const nameTables = openNameTables(PACKED_NAME_TABLES);
