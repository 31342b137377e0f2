import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BundledLists, createLists } from '../../src/domain/lists/index.ts';

const data = (file: string): Uint8Array => readFileSync(join(import.meta.dirname, '../../src/domain/lists/data', file));

/** The shipped lists, read from the repository's files. */
export const lists: BundledLists = createLists({ domains: data('domains.bin'), names: data('names.bin') });
