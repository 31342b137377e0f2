import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../src');

const IMPORTED = /^import type \{[^}]*\} from '.\/types.ts';\n\n?/m;
const EXPORTED = /^export type \* from '.\/types.ts';\n/m;

/** The library as the one file that is published and copied: its types replace the import of `types.ts`. */
export function singleFile(): string {
  const types = readFileSync(join(SOURCE, 'types.ts'), 'utf8');
  return readFileSync(join(SOURCE, 'client.ts'), 'utf8')
    .replace(IMPORTED, '')
    .replace(EXPORTED, () => types);
}
