import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLists } from '../../src/domain/lists/lists.ts';
import type { BundledLists } from '../../src/domain/lists/types.ts';

const data = (file: string): Uint8Array => readFileSync(join(import.meta.dirname, '../../src/domain/lists/data', file));

/** The shipped lists, read from the repository's files. */
export const lists: BundledLists = createLists({ domains: data('domains.bin'), names: data('names.bin') });
