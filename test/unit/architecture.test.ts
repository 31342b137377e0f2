import { describe, expect, it } from 'vitest';
import { brokenRules, describeBroken, importsBelow, importsIn } from '../support/architecture.ts';

const SRC = new URL('../../src', import.meta.url).pathname;

describe('the source', () => {
  const imports = importsBelow(SRC);

  it('is read at all', () => {
    expect(imports).toContainEqual({
      file: 'index.ts',
      from: './entrypoints/object/organisation-object.ts',
      typeOnly: false,
    });
  });

  it('imports one way', () => {
    expect(brokenRules(imports).map(describeBroken)).toEqual([]);
  });
});

/** file, what it imports, words of the rule that is broken. */
const FORBIDDEN = [
  ['kernel/ids.ts', '../domain/address/index.ts', 'kernel imports nothing of ours'],
  ['platform/log.ts', '../domain/address/index.ts', 'platform reads only kernel'],
  ['domain/check/check.ts', '../../app/clock.ts', 'domain reads only'],
  ['domain/check/check.ts', '../../entrypoints/http/env.ts', 'domain reads only'],
  ['app/services.ts', '../entrypoints/http/app.ts', 'app reads only'],
  ['app/services.ts', '../index.ts', 'app reads only'],
  ['index.ts', './domain/address/index.ts', 'index.ts reads only'],
  ['contract/check.ts', '../kernel/ids.ts', 'contract imports nothing of ours'],
  ['client/client.ts', '../contract/check.ts', 'client imports nothing of ours'],
  ['shared/text.ts', '../kernel/ids.ts', 'shared is no shelf'],
  ['app/services.ts', '../../scripts/stack/seed.ts', 'nothing outside'],
  // The order of the domain's parts.
  ['domain/address/parse.ts', '../lists/index.ts', 'before it'],
  ['domain/verification/verify.ts', '../screening/screen.ts', 'before it'],
  ['domain/organisation/port.ts', '../traces/index.ts', 'before it'],
  ['domain/billing/plan.ts', '../access/index.ts', 'domain/billing has no place'],
  ['domain/insights/run.ts', '../billing/plan.ts', 'domain/billing has no place'],
  // What touches the world.
  ['domain/traces/present.ts', './store.ts', 'only app/'],
  ['domain/check/check.ts', '../dns/adapters/doh.ts', 'only app/'],
  ['domain/verification/router.ts', './providers/registry.ts', 'only app/'],
  ['entrypoints/http/app.ts', '../../domain/organisation/client.ts', 'only app/'],
  ['domain/feedback/store.ts', '../traces/store.ts', 'only app/'],
  ['app/services.ts', '../domain/access/object-store.ts', 'only entrypoints/object/'],
  ['entrypoints/cron/scheduled.ts', '../../domain/access/object-store.ts', 'only entrypoints/object/'],
  ['domain/metering/rate.ts', '../../platform/db/client.ts', 'only files that touch the world'],
  ['entrypoints/http/app.ts', '../../platform/db/client.ts', 'from app/'],
  ['entrypoints/object/admit.ts', '../../platform/db/client.ts', 'from app/'],
  // Packages.
  ['contract/check.ts', 'hono', 'no Hono below entrypoints/'],
  ['app/services.ts', '@hono/zod-validator', 'no Hono below entrypoints/'],
  ['domain/check/check.ts', 'hono/http-exception', 'no Hono below entrypoints/'],
  ['app/operator.ts', 'drizzle-orm', 'SQL is written in a store.ts'],
  ['domain/metering/object-store.ts', 'drizzle-orm/pg-core', 'SQL is written in a store.ts'],
  ['domain/traces/store.ts', '@neondatabase/serverless', 'connectDatabase'],
  ['domain/organisation/client.ts', 'cloudflare:workers', 'Workers runtime'],
  ['domain/address/parse.ts', 'node:crypto', 'kernel/ or platform/'],
  ['contract/check.ts', 'tldts', 'only zod'],
  ['kernel/probability.ts', 'zod', 'import no package'],
  ['client/client.ts', 'quick-lru', 'nothing'],
] as const;

const ALLOWED = [
  ['index.ts', './app/services.ts'],
  ['entrypoints/http/app.ts', 'hono'],
  ['entrypoints/http/app.ts', '../../kernel/ids.ts'],
  ['entrypoints/http/body.ts', '../../platform/read-body.ts'],
  ['entrypoints/object/admit.ts', '../../domain/access/object-store.ts'],
  ['entrypoints/object/admit.ts', '../../platform/sql.ts'],
  ['app/services.ts', '../domain/dns/adapters/doh.ts'],
  ['app/services.ts', '../platform/db/client.ts'],
  ['domain/dns/adapters/doh.ts', './wire.ts'],
  ['domain/dns/adapters/doh.ts', '../query.ts'],
  ['domain/traces/store.ts', 'drizzle-orm'],
  ['domain/traces/store.ts', '../../platform/db/schema.ts'],
  ['domain/insights/run.ts', '../address/index.ts'],
  ['contract/check.ts', 'zod'],
  ['kernel/keyed-hash.ts', 'node:crypto'],
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

  it('let the domain read the contract for types alone', () => {
    const found = { file: 'domain/check/check.ts', from: '../../contract/check.ts' };
    expect(brokenRules([{ ...found, typeOnly: true }])).toEqual([]);
    expect(brokenRules([{ ...found, typeOnly: false }])).toEqual([
      { ...found, rule: expect.stringContaining('import type') },
    ]);
  });

  it('name the file, the import and the rule', () => {
    const [broken] = brokenRules([{ file: 'app/operator.ts', from: 'drizzle-orm', typeOnly: false }]);
    expect(broken && describeBroken(broken)).toMatch(
      /^src\/app\/operator\.ts imports 'drizzle-orm': SQL is written in/,
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
  ["type A = typeof import('./a.ts');", './a.ts', false],
] as const;

describe('reading a source file', () => {
  it.each(FORMS)('finds %j', (text, from, typeOnly) => {
    expect(importsIn('x.ts', `/** Why. */\n${text}\nconst b = 'c';\n`)).toEqual([{ file: 'x.ts', from, typeOnly }]);
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
