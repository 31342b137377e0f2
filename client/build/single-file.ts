import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientTypes } from '../../scripts/openapi/types.ts';

const SOURCE = join(import.meta.dirname, '../src/client.ts');

const IMPORTED = /^import type \{[^}]*\} from '.\/types.ts';\n\n?/m;
const EXPORTED = /^export type \* from '.\/types.ts';\n/m;

/** The library as the one file that is published and copied: its types replace the import of `types.ts`. */
export const singleFile = (): string =>
  readFileSync(SOURCE, 'utf8').replace(IMPORTED, '').replace(EXPORTED, clientTypes);
