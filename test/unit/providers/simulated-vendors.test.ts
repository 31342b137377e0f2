import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROVIDER_IDS, type ProviderId } from '../../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../../src/domain/belief/provider-table.ts';
import { accountsAt } from '../../support/vendors/accounts.ts';
import { inProcessProviders } from '../../support/vendors/in-process.ts';
import { type Behaviour, VendorSimulator } from '../../support/vendors/simulator.ts';
import type { Statement } from '../../support/vendors/wire/form.ts';
import { WIRE_FORMS } from '../../support/vendors/wire/forms.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

const ACCOUNTS = accountsAt(1);
const EMAIL = 'ada+tag@example.test';
const NEVER = new AbortController().signal;

async function ask(id: ProviderId, behaviour: Behaviour, accounts = ACCOUNTS, timeoutMs = 60_000) {
  const simulator = new VendorSimulator(ACCOUNTS, () => behaviour);
  const provider = inProcessProviders(simulator, accounts, () => 0).find((one) => one.id === id);
  if (provider === undefined) throw new Error(`${id} is off`);
  return { result: await provider.ask(EMAIL, timeoutMs, NEVER), simulator };
}

const says = (statement: Partial<Statement>, afterMs = 0): Behaviour => ({
  afterMs,
  statement: {
    email: EMAIL,
    verdict: 'deliverable',
    acceptsAll: false,
    role: false,
    consumer: false,
    variant: 0,
    ...statement,
  },
});

const VARIANTS = [0, 1, 2, 3, 4, 5];
const STATEMENTS: readonly Partial<Statement>[] = VERDICTS.flatMap((verdict) =>
  VARIANTS.flatMap((variant) =>
    [false, true].flatMap((role) =>
      [false, true].map((consumer) => ({ verdict, variant, role, consumer, acceptsAll: verdict === 'catch_all' })),
    ),
  ),
);

describe.each(PROVIDER_IDS)('%s in its wire form', (id) => {
  it('is understood: verdict as found, cost as charged', async () => {
    const statements = [...STATEMENTS, { verdict: 'deliverable', acceptsAll: true } as const];
    const accepted = { verdict: 'deliverable', acceptsAll: true, role: true } as const;
    // Reacher tests for a catch-all first, so it lacks that word.
    for (const statement of id === 'reacher' ? STATEMENTS : [...statements, accepted]) {
      const { result, simulator } = await ask(id, says(statement));
      expect(result, JSON.stringify(statement)).toMatchObject({ ok: true, value: { verdict: statement.verdict } });
      expect(result.ok && result.value.costMicros).toBe(simulator.billedFor(EMAIL));
      if (statement.acceptsAll === true) expect(result.ok && result.value.catchAll).toBe(true);
      expect(simulator.ledger).toHaveLength(1);
    }
  });

  it('has every field of its vendor’s replies', () => {
    const file = new URL(`../../fixtures/providers/${id}.json`, import.meta.url).pathname;
    const { whole } = JSON.parse(readFileSync(file, 'utf8')) as { whole: Record<string, unknown> };
    const behaviour = says({});
    if (!('statement' in behaviour)) throw new Error('no statement');
    const answer = WIRE_FORMS[id].answer(behaviour.statement).json as Record<string, unknown>;
    const fields = (body: Record<string, unknown>) => Object.keys({ ...body, ...(body.data as object | undefined) });
    expect(fields(answer).toSorted()).toEqual(fields(whole).toSorted());
  });

  it('gives up at the end of its own time, in its own words', async () => {
    const time = new VirtualTime();
    const { result, simulator } = await time.run(() => ask(id, says({}, 59_500)));
    const costMicros = simulator.billedFor(EMAIL);
    expect(result).toMatchObject(
      // The others lack a word for it.
      id === 'emailable' || id === 'hunter'
        ? { ok: false, error: { kind: 'pending', retryable: true, costMicros } }
        : { ok: true, value: { verdict: 'unknown', costMicros } },
    );
    expect(time.now()).toBeLessThan(59_500);
  });

  it('turns a wrong key down in its own words, charging nothing', async () => {
    const { result, simulator } = await ask(id, says({}), { ...ACCOUNTS, [id]: { ...ACCOUNTS[id], apiKey: 'wrong' } });
    // ZeroBounce has one message for a wrong key and for no credit.
    const kind = id === 'zerobounce' ? 'no_credit' : 'unauthorized';
    expect(result).toMatchObject({ ok: false, error: { kind, costMicros: 0 } });
    expect(simulator.ledger).toEqual([]);
  });
});
