import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
const STORAGE = read('docs/storage.md');
const named = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([, name = '']) => name);

it('docs/storage.md names every table of Postgres, of the objects, and every queue', () => {
  const names = [
    ...named(read('drizzle/0000_baseline.sql'), /^CREATE TABLE "(\w+)"/gm),
    ...named(read('src/organisation/schema.ts'), /create table (\w+) \(/g),
    ...named(read('wrangler.toml'), /^queue = "(email-verification-\w+)"/gm),
  ];
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !STORAGE.includes(`\`${name}\``))).toEqual([]);
});
