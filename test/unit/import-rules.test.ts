import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  brokenRules,
  circles,
  describeBroken,
  FOLDER_NAMES,
  importsBelow,
  importsIn,
} from '../../scripts/check/import-rules.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

describe('the source', () => {
  const imports = importsBelow(ROOT);

  it('is read at all', () => {
    expect(imports).toContainEqual({
      file: 'src/index.ts',
      from: './runtime/objects.ts',
      typeOnly: false,
    });
  });

  it('imports one way', () => {
    expect(brokenRules(imports).map(describeBroken)).toEqual([]);
  });

  it('loads the contract of all routes with none of the first verbs', () => {
    const loaded = new Set(['src/entrypoints/first-verbs.ts']);
    for (const file of loaded) {
      for (const { from } of imports.filter((each) => each.file === file && !each.typeOnly))
        if (from.startsWith('.')) loaded.add(posix.join(posix.dirname(file), from));
    }
    expect(loaded).toContain('src/contract/first-routes.ts');
    expect(loaded).not.toContain('src/contract/routes.ts');
  });

  it('has a rule for every folder that the compiler reads', () => {
    const { include } = JSON.parse(readFileSync(`${ROOT}/tsconfig.json`, 'utf8')) as { include: string[] };
    const firstOf = (names: readonly string[]) => new Set(names.map((name) => name.split('/')[0]));
    expect(firstOf(FOLDER_NAMES)).toEqual(firstOf(include));
  });

  it('is free of circles, those of types alone too', () => {
    expect(circles(imports)).toEqual([]);
  });
});

/** file, what it imports, words of the rule that is broken. */
const FORBIDDEN = [
  ['src/kernel/ids.ts', '../domain/address/parse.ts', 'kernel imports nothing of ours'],
  ['src/storage/kv.ts', '../organisation/object.ts', 'storage reads only'],
  ['src/integrations/mail.ts', '../storage/kv.ts', 'integrations reads only'],
  ['src/organisation/object.ts', '../services/frame.ts', 'organisation reads only'],
  ['src/organisation/object.ts', '../runtime/config.ts', 'organisation reads only'],
  ['src/domain/policy/evaluate.ts', '../../runtime/clock.ts', 'domain reads only'],
  ['src/domain/policy/evaluate.ts', '../../storage/kv.ts', 'domain reads only'],
  ['src/domain/policy/evaluate.ts', '../../entrypoints/http/env.ts', 'domain reads only'],
  ['src/services/verification/verify.ts', '../../runtime/config.ts', 'services reads only'],
  ['src/services/verification/verify.ts', '../../entrypoints/http/app.ts', 'services reads only'],
  ['src/runtime/wiring.ts', '../entrypoints/http/app.ts', 'runtime reads only'],
  ['src/runtime/wiring.ts', '../index.ts', 'runtime reads only'],
  ['src/entrypoints/http/app.ts', '../../storage/postgres/client.ts', 'entrypoints reads only'],
  ['src/entrypoints/http/app.ts', '../../organisation/api.ts', 'entrypoints reads only'],
  ['src/services/bulk/run-job.ts', '../../organisation/sql/bulk.ts', 'only organisation/api.ts'],
  ['src/services/nightly/run-night.ts', '../../organisation/object.ts', 'only organisation/api.ts'],
  ['src/runtime/wiring.ts', '../organisation/sql/bulk.ts', 'only organisation/api.ts'],
  ['src/index.ts', './domain/address/parse.ts', 'index.ts reads only'],
  ['src/contract/verification.ts', '../kernel/ids.ts', 'contract imports nothing of ours'],
  ['src/shared/text.ts', '../kernel/ids.ts', 'shared is not a shelf'],
  ['src/runtime/wiring.ts', '../../scripts/stack/seed.ts', 'nothing outside'],
  // Modules that create an authorization.
  ['src/services/verification/verify.ts', '../authorization.ts', 'an authorization is made of the object'],
  ['src/services/bulk/verify-row.ts', '../authorization.ts', 'an authorization is made of the object'],
  ['src/services/frame.ts', './authorization.ts', 'an authorization is made of the object'],
  ['src/entrypoints/mcp/mount.ts', '../../services/authorization.ts', 'an authorization is made of the object'],
  ['src/services/verb.ts', './object-exchange.ts', 'opens an exchange'],
  ['src/entrypoints/mcp/tools.ts', '../../services/object-exchange.ts', 'opens an exchange'],
  // Between the folders of the repository.
  ['src/runtime/wiring.ts', '../../research/index.ts', 'nothing imports research/'],
  ['scripts/bench.ts', '../research/population/population.ts', 'nothing imports research/'],
  ['test/unit/x.test.ts', '../../research/population/population.ts', 'nothing imports research/'],
  ['scripts/bench.ts', '../test/support/service.ts', 'scripts/ reads only'],
  ['client/src/client.ts', '../../src/contract/check.ts', 'nothing outside'],
  ['client/src/client.ts', 'zod', 'no package'],
  ['pages/page.ts', '../src/contract/check.ts', 'is missing in the table'],
  ['dashboard/worker/api-binding.ts', '../../src/contract/check.ts', 'reads only src/domain/policy/paths.ts'],
  // The order of the domain's parts.
  ['src/domain/address/parse.ts', '../lists/lists.ts', 'before it'],
  ['src/domain/router/router.ts', '../screening/record.ts', 'before it'],
  ['src/domain/billing/plan.ts', '../access/keys.ts', 'domain/billing is missing'],
  ['src/domain/insights/run.ts', '../billing/plan.ts', 'domain/billing is missing'],
  ['src/domain/insights/run.ts', '../shared.ts', 'domain/shared.ts is missing'],
  ['src/services/bulk/run-job.ts', '../nightly/run-night.ts', 'before it'],
  ['src/services/verification/verify.ts', '../policy/decide.ts', 'before it'],
  ['src/services/billing/charge.ts', '../verification/verify.ts', 'services/billing is missing'],
  // Packages.
  ['src/contract/verification.ts', 'hono', 'no Hono below entrypoints/'],
  ['src/services/verification/verify.ts', '@hono/zod-validator', 'no Hono below entrypoints/'],
  ['src/services/organisations.ts', 'drizzle-orm', 'SQL of Postgres is written in'],
  ['src/organisation/sql/metering.ts', 'drizzle-orm/pg-core', 'SQL of Postgres is written in'],
  ['src/services/traces.ts', '@neondatabase/serverless', 'connectDatabase'],
  ['src/services/verification/verify.ts', 'cloudflare:workers', 'Workers runtime'],
  ['src/domain/address/parse.ts', 'node:crypto', 'wrapped in kernel/'],
  ['src/contract/verification.ts', 'tldts', 'only zod'],
  ['src/kernel/probability.ts', 'zod', 'imports no package'],
  ['src/domain/lists/lists.ts', 'quick-lru', 'only compute'],
] as const;

const ALLOWED = [
  ['research/index.ts', '../scripts/command-line.ts'],
  ['client/src/client.ts', './types.ts'],
  ['test/long/client.test.ts', '../../client/src/client.ts'],
  ['src/index.ts', './runtime/wiring.ts'],
  ['src/entrypoints/http/app.ts', 'hono'],
  ['src/entrypoints/http/app.ts', '../../kernel/ids.ts'],
  ['src/entrypoints/http/app.ts', '../../services/verification/verify.ts'],
  ['src/runtime/wiring.ts', '../integrations/dns-over-https/client.ts'],
  ['src/runtime/wiring.ts', '../storage/postgres/client.ts'],
  ['src/services/verification/verify.ts', '../../storage/kv.ts'],
  ['src/organisation/authorize.ts', './sql/operations.ts'],
  ['src/services/object-exchange.ts', './authorization.ts'],
  ['src/services/bulk/claim-chunk.ts', '../authorization.ts'],
  ['src/services/frame.ts', './object-exchange.ts'],
  ['src/services/bulk/run-job.ts', '../../organisation/api.ts'],
  ['src/runtime/objects.ts', '../organisation/object.ts'],
  ['src/runtime/objects.ts', '../organisation/operators-object.ts'],
  ['src/storage/postgres/traces.ts', 'drizzle-orm'],
  ['src/domain/insights/run.ts', '../address/parse.ts'],
  ['src/services/nightly/run-night.ts', '../operators.ts'],
  ['src/services/nightly/run-night.ts', '../deps.ts'],
  ['src/services/deps.ts', './bulk/addresses.ts'],
  ['src/contract/verification.ts', 'zod'],
  ['src/domain/lists/overlay.ts', 'tldts'],
  ['src/kernel/keyed-hash.ts', 'node:crypto'],
] as const;

describe('the rules', () => {
  it.each(FORBIDDEN)('refuse that %s imports %s', (file, from, rule) => {
    expect(brokenRules([{ file, from, typeOnly: false }])).toEqual([
      { file, from, rule: expect.stringContaining(rule) },
    ]);
  });

  it.each(ALLOWED)('let %s import %s', (file, from) => {
    expect(brokenRules([{ file, from, typeOnly: false }])).toEqual([]);
  });

  it('let the domain read the contract for its words, and else for types alone', () => {
    const found = { file: 'src/domain/policy/evaluate.ts', from: '../../contract/check.ts' };
    expect(brokenRules([{ ...found, typeOnly: true }])).toEqual([]);
    expect(brokenRules([{ ...found, typeOnly: false }])).toEqual([
      { ...found, rule: expect.stringContaining('only types') },
    ]);
    expect(brokenRules([{ ...found, from: '../../contract/words.ts', typeOnly: false }])).toEqual([]);
  });

  it('let all of the source name the types of an authorization and of an exchange', () => {
    const named = ['../authorization.ts', '../object-exchange.ts'].map((from) => ({
      file: 'src/services/verification/assess.ts',
      from,
      typeOnly: true,
    }));
    expect(brokenRules(named)).toEqual([]);
  });

  it('name the file, the import and the rule', () => {
    const [broken] = brokenRules([{ file: 'src/services/organisations.ts', from: 'drizzle-orm', typeOnly: false }]);
    expect(broken && describeBroken(broken)).toMatch(
      /^src\/services\/organisations\.ts imports 'drizzle-orm': SQL of Postgres is written in/,
    );
  });
});

const FORMS = [
  ["import { a } from './a.ts';", './a.ts', false],
  ["import * as z from 'zod';", 'zod', false],
  ["import type { A } from './a.ts';", './a.ts', true],
  ["import { type A } from './a.ts';", './a.ts', false],
  ["import {\n  a,\n  type B,\n} from './a.ts';", './a.ts', false],
  ["import {\n  // It's named so by the RFC.\n  a,\n} from './a.ts';", './a.ts', false],
  ["import './a.ts';", './a.ts', false],
  ["export { a } from './a.ts';", './a.ts', false],
  ["export * from './a.ts';", './a.ts', false],
  ["export type { A } from './a.ts';", './a.ts', true],
  ["import data from './a.json' with { type: 'json' };", './a.json', false],
  ["const a = await import('./a.ts');", './a.ts', false],
  ["type A = typeof import('./a.ts');", './a.ts', true],
  ["type A = import('./a.ts').A;", './a.ts', true],
  ["  import { a } from './a.ts';", './a.ts', false],
  ['import { a } from "./a.ts";', './a.ts', false],
  ['const a = await import(`./a.ts`);', './a.ts', false],
  ["const a = await import(\n  './a.ts',\n);", './a.ts', false],
] as const;

describe('reading a source file', () => {
  it.each(FORMS)('finds %j', (text, from, typeOnly) => {
    expect(importsIn('x.ts', `/** Why. */\n${text}\nconst b = 'c';\n`)).toEqual([{ file: 'x.ts', from, typeOnly }]);
  });

  it.each(['import(path)', 'import(`./${name}.ts`)'])('refuses %s, whose path it can’t tell', (call) => {
    expect(() => importsIn('x.ts', `const a = await ${call};`)).toThrow(/as a literal/);
  });

  it.each([
    "export const from = 'a';",
    "export type { A };\n// taken from 'a'",
    "export const a = 'b';",
    "const a = 'import it from b';",
  ])('finds nothing in %j', (text) => {
    expect(importsIn('x.ts', text)).toEqual([]);
  });
});

describe('a circle', () => {
  it('is found through files between, and through types alone', () => {
    const found = [
      { file: 'a.ts', from: './b.ts', typeOnly: false },
      { file: 'b.ts', from: './part/c.ts', typeOnly: true },
      { file: 'part/c.ts', from: '../a.ts', typeOnly: false },
      { file: 'd.ts', from: './a.ts', typeOnly: false },
    ];
    expect(circles(found)).toEqual([['a.ts', 'b.ts', 'part/c.ts', 'a.ts']]);
    expect(circles(found.slice(0, 2))).toEqual([]);
  });
});
