import { beforeEach, describe, expect, it, vi } from 'vitest';
import { acceptsAll } from '../../../src/domain/answer/answer-shown.ts';
import { NOTHING_KNOWN } from '../../../src/domain/answer/account.ts';
import { answerWith, type Script } from '../router/scripted-provider.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  stage = new Stage();
});

const ADA = 'ada@acme.test';
const BOB = 'bob@acme.test';
const UNDELIVERABLE = answerWith({ verdict: 'undeliverable' });
/** Costs more than a request's ceiling. */
const TOO_DEAR: Script = { ms: 300, says: 'deliverable', priceMicros: 20_001 };

describe('signals.catch_all', () => {
  const word = (catchAll: boolean | null, says: Script['says'] = 'undeliverable'): Script => ({
    ms: 300,
    says,
    priceMicros: 100,
    ...(catchAll === null ? {} : { catchAll }),
  });
  const ROWS: [fresh: boolean | null, known: boolean | null, ofDomain: boolean | null, shown: boolean][] = [
    // An answer of this request outranks an earlier one about the address, which outranks one about its domain.
    [null, null, null, false],
    [null, null, true, true],
    [null, null, false, false],
    [null, true, null, true],
    [null, true, false, true],
    [null, false, true, false],
    [true, null, null, true],
    [true, false, false, true],
    [false, true, true, false],
    [false, null, true, false],
    [false, true, null, false],
  ];
  it.each(ROWS)('this request %s, the address before %s, its domain before %s: %s', (fresh, known, ofDomain, shown) => {
    const answer = { provider: 'emailable', verdict: 'undeliverable', at: 0 } as const;
    const said = { ...UNDELIVERABLE, catchAll: fresh };
    expect(
      acceptsAll({
        known: { ...NOTHING_KNOWN, answers: known === null ? [] : [{ ...answer, catch_all: known }] },
        queries: {
          results: fresh === null ? [] : [{ provider: 'kickbox', answer: said, ms: 1 }],
          failures: [],
          steps: [],
          spendMicros: 0,
        },
        domainAcceptsAll: ofDomain ?? false,
      }),
    ).toBe(shown);
  });

  it.each([true, false])('is %s of an address after that was said of another at its domain', async (shown) => {
    await stage.learn(BOB, { bouncer: word(shown, shown ? 'catch_all' : 'undeliverable') });
    stage.scripts = { hunter: TOO_DEAR };
    expect((await stage.verify(ADA)).answer.signals.catch_all).toBe(shown);
  });

  it.each([true, false])('is %s for the address also without the shared flag', async (shown) => {
    await stage.learn(ADA, { emailable: word(shown) });
    for (const key of stage.stored.keys()) if (key.endsWith(':acme.test')) stage.stored.delete(key);
    stage.scripts = { hunter: TOO_DEAR };
    expect((await stage.verify(ADA)).answer.signals.catch_all).toBe(shown);
  });

  it('is true when one of two says so now', async () => {
    stage.scripts = { kickbox: word(true), bouncer: word(false), emailable: word(false) };
    const { answer } = await stage.verify(ADA);
    expect(Object.keys(answer.providers).length).toBeGreaterThan(1);
    expect(answer.signals.catch_all).toBe(true);
  });
});
