import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../src/domain/check/check.ts';
import { createLists } from '../../src/domain/lists/index.ts';
import type { Operation } from '../../src/domain/organisation/index.ts';
import { NO_RULES } from '../../src/domain/rule-lists/index.ts';
import { infer } from '../../src/domain/verification/belief.ts';
import type { VerifyDeps } from '../../src/domain/verification/examine.ts';
import { PRIOR_TABLE } from '../../src/domain/verification/prior-table.ts';
import { ProviderHealthBook } from '../../src/domain/verification/provider-health.ts';
import { verify } from '../../src/domain/verification/verify.ts';
import { newId } from '../../src/kernel/ids.ts';
import { deriveKey, hmacHex } from '../../src/kernel/keyed-hash.ts';
import { classifyMailHosts } from '../lists/shipped.ts';
import { microsecondsEach, spread, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';

const EACH = 5_000;
const NOW = Date.UTC(2026, 10, 12);
const DATA = join(import.meta.dirname, '../../src/domain/lists/data');

const HOSTS = ['aspmx.l.google.com', 'acme-com.mail.protection.outlook.com', 'mx1.mail.acme.example'];
const EMAILS = Array.from({ length: EACH }, (_, i) => `ada.lovelace+${i}@acme-${i % 97}.example`);

/** What a request computes, with the object and DNS answering at once: the microseconds of one call, promises included. */
export async function run(): Promise<BenchRow[]> {
  const key = deriveKey(new Uint8Array(32), 'bench');
  const deps: VerifyDeps = {
    lists: createLists({
      domains: readFileSync(join(DATA, 'domains.bin')),
      names: readFileSync(join(DATA, 'names.bin')),
    }),
    classifyMailHosts,
    now: () => NOW,
    hashAddress: (_, text) => hmacHex(key, text),
    hashIdentity: (_, text) => hmacHex(key, text),
    providers: [],
    health: new ProviderHealthBook(),
    counters: { add: () => undefined },
    evidence: { get: async () => null, put: async () => undefined },
    findModel: async () => null,
    findMailHosts: async (domain) => ({
      kind: 'found',
      hosts: [HOSTS[domain.length % HOSTS.length] ?? ''],
      implicit: false,
    }),
  };
  const organisation = { id: newId('org', NOW), accountId: newId('acct', NOW), name: 'bench' };
  const op: Operation = {
    organisationId: organisation.id,
    mode: 'live',
    meter: 'verify',
    startedAt: NOW,
    traceId: newId('vr', NOW),
    admit: async () => ({
      ...{ reached: true, organisation, rules: NO_RULES, earlier: null, policy: null, calibration: null },
      key: {
        id: newId('key', NOW),
        name: 'bench',
        role: 'member',
        mode: 'live',
        origin: 'auto',
        operator: false,
        userId: null,
      },
    }),
    reserveEnrichment: async () => 'failed',
    settle: async () => null,
    defer: () => {},
  };
  const each = (call: (email: string) => Promise<unknown>) => async (): Promise<number> => {
    const started = performance.now();
    for (const email of EMAILS) await call(email);
    return ((performance.now() - started) * 1_000) / EACH;
  };
  const priors = Object.values(PRIOR_TABLE);
  const contestants = {
    verify: each((email) => verify(deps, op, { email })),
    check: each((email) => check(deps, op, { email })),
    hashes: microsecondsEach(EMAILS, (email) => hmacHex(key, email) + hmacHex(key, email)),
    belief: microsecondsEach(
      EMAILS.map((_, i) => priors[i % priors.length] ?? []),
      (prior) => infer(prior),
    ),
  };
  await contestants.verify();
  const times = await takeTurns(contestants);
  const [hashes, belief] = [times.hashes, times.belief].map((values) => spread(values).median.toFixed(1));
  const row = (name: string, values: readonly number[]) => {
    const { median: value, range } = spread(values);
    return { name, value, unit: 'µs', range };
  };
  return [
    {
      ...row('verify without I/O', times.verify),
      target: { atMost: 100 },
      note: `of it two keyed hashes ${hashes} µs, belief and interval ${belief} µs`,
    },
    row('check without I/O', times.check),
  ];
}
