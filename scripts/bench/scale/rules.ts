import { createHash } from 'node:crypto';
import type { RuleRecord } from '../../../src/domain/rules/types.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { RulesObject } from '../worker/rules-object.ts';
import type { Curve } from './curve.ts';

const PROBES = 10_000;
const CALLS = 5;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const record = (i: number): RuleRecord => ({
  key: hashOf(`address ${i}`),
  display: 'a•••@b.test',
  id: newId('ar', 0),
  rule: 'block',
  note: null,
  createdAt: 0,
  createdBy: 'key',
});

/** Half of the probes meet a rule where there are as many. */
const probes = Array.from({ length: PROBES }, (_, i) => ({
  addressHash: hashOf(i % 2 === 0 ? `address ${i / 2}` : `none ${i}`),
  domain: `mail.none${i}.example`,
}));

export const rules: Curve = {
  by: 'rules',
  sizes: [10, 100, 1_000, 5_000, 20_000],
  quick: [10, 1_000, 20_000],
  needsPostgres: false,
  costs: [{ name: 'a look-up among an account’s rules', why: 'each request makes one', unit: 'µs CPU', atMost: 0.2 }],
  async measure({ runtime }, size) {
    const namespace = await runtime.miniflare.getDurableObjectNamespace('RULES', 'bare');
    const object = namespace.getByName(`rules ${size}`) as unknown as RulesObject;
    await object.fill(
      Array.from({ length: size }, (_, i) => record(i)),
      [],
      probes,
    );
    await object.match();
    const before = runtime.cpuMs();
    for (let call = 0; call < CALLS; call += 1) await object.match();
    return [((runtime.cpuMs() - before) * 1_000) / (CALLS * PROBES)];
  },
};
