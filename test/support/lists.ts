import { readFileSync } from 'node:fs';
import { createLists, type Lists } from '../../src/domain/lists/index.ts';

const data = (file: string): Uint8Array => readFileSync(new URL(`../../src/domain/lists/data/${file}`, import.meta.url));

/** The shipped lists, read from the repository's files. */
export const lists: Lists = createLists({ domains: data('domains.bin'), names: data('names.bin') });
