import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { VerificationContext } from '../../../src/contract/verification.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import {
  DELIVERABLE,
  DOWN,
  HANGS,
  type Script,
  type Scripts,
  UNDELIVERABLE,
  UNKNOWN,
} from '../router/scripted-provider.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  stage = new Stage();
});

const ADA = 'ada@acme.test';
const BOB = 'bob@acme.test';

describe('degraded', () => {
  interface Row {
    readonly when: string;
    readonly scripts: Scripts;
    /** Stored evidence about the address itself, and about another address at its domain. */
    readonly known?: Scripts;
    readonly ofDomain?: Scripts;
    /** Kickbox's circuit is open. */
    readonly open?: true;
    readonly email?: string;
    readonly context?: VerificationContext;
    readonly unreached?: true;
    /** The failures in the trace. */
    readonly shows: 'failed' | 'missed' | 'nothing';
  }
  const FAILED = { scripts: { kickbox: { ...DOWN, priceMicros: 500 } }, shows: 'failed' } as const;
  const OPEN = { scripts: { kickbox: { ...DELIVERABLE, priceMicros: 500 } }, open: true } as const;
  const MISSED = { ...OPEN, shows: 'missed' } as const;
  const NOT_MISSED = { ...OPEN, shows: 'nothing' } as const;

  const YES: Row[] = [
    { ...FAILED, when: 'the one provider is down' },
    { ...FAILED, when: 'the one provider hangs', scripts: { kickbox: HANGS } },
    {
      ...FAILED,
      when: 'one is down and the other says nothing certain',
      scripts: { ...FAILED.scripts, emailable: UNKNOWN },
    },
    { ...FAILED, when: 'it is down and another once said nothing certain', known: { emailable: UNKNOWN } },
    { ...FAILED, when: 'it is down and another said nothing certain of the domain', ofDomain: { emailable: UNKNOWN } },
    { ...FAILED, when: 'it is down and only the domain is known', ofDomain: { bouncer: UNDELIVERABLE } },
    { ...MISSED, when: 'the circuit of one worth asking is open' },
    { ...MISSED, when: 'a circuit is open and only the domain is known', ofDomain: { bouncer: UNDELIVERABLE } },
    {
      ...MISSED,
      when: 'a circuit is open and the other provider says nothing certain',
      scripts: { ...OPEN.scripts, emailable: UNKNOWN },
    },
    { ...MISSED, when: 'a circuit is open and another once said nothing certain', known: { emailable: UNKNOWN } },
    { when: 'the object is out of reach', scripts: { kickbox: DELIVERABLE }, unreached: true, shows: 'nothing' },
    { when: 'the object is out of reach and no provider is on', scripts: {}, unreached: true, shows: 'nothing' },
  ];
  const NO: Row[] = [
    { when: 'all is well', scripts: { kickbox: DELIVERABLE }, shows: 'nothing' },
    { when: 'no provider is on', scripts: {}, shows: 'nothing' },
    { when: 'all say nothing certain', scripts: { kickbox: UNKNOWN, emailable: UNKNOWN }, shows: 'nothing' },
    { ...FAILED, when: 'one is down and another tells', scripts: { ...FAILED.scripts, bouncer: DELIVERABLE } },
    // A refusal leaves a second question worth asking.
    { ...FAILED, when: 'it is down and another told before', known: { bouncer: UNDELIVERABLE } },
    { ...MISSED, when: 'a circuit is open and another told before', known: { bouncer: UNDELIVERABLE } },
    {
      ...MISSED,
      when: 'a circuit is open and another tells',
      scripts: { ...OPEN.scripts, bouncer: DELIVERABLE },
    },
    {
      ...NOT_MISSED,
      when: 'a circuit is open of one who could change nothing',
      email: 'ada@behind-barracuda.test',
    },
    {
      ...NOT_MISSED,
      when: 'a circuit is open of one too dear for what is at stake',
      scripts: { kickbox: { ...DELIVERABLE, priceMicros: 110_000 } },
      context: { purpose: 'list_hygiene', max_cost_usd: 1 },
    },
    { ...NOT_MISSED, when: 'a circuit is open of one over the cost ceiling', context: { max_cost_usd: 0.0004 } },
    { ...NOT_MISSED, when: 'a circuit is open and the cost ceiling is 0', context: { max_cost_usd: 0 } },
    { ...NOT_MISSED, when: 'a circuit is open and the time is up', context: { max_latency_ms: 0 } },
    { ...NOT_MISSED, when: 'a finding ends it, a circuit open', email: 'a@no-mail.test' },
    { ...NOT_MISSED, when: 'a finding ends it, the object out of reach', email: 'a@no-mail.test', unreached: true },
    {
      ...NOT_MISSED,
      when: 'the domain is disposable, the object out of reach',
      email: 'a@throwaway.test',
      unreached: true,
    },
  ];

  it('not when it is down and a shared flag of the domain is known; one organisation’s observation is not enough', async () => {
    const told: Script = { ...DELIVERABLE, says: 'catch_all', catchAll: true };
    const shown: (true | undefined)[] = [];
    for (const organisation of ['org_b', 'org_c'] as const) {
      await stage.learn(BOB, { bouncer: told }, organisation);
      // A week's observations are shared only once the week is over.
      vi.setSystemTime(Date.now() + 7 * DAY_MS);
      stage.scripts = FAILED.scripts;
      shown.push((await stage.verify(ADA)).answer.degraded);
    }
    expect(shown).toEqual([true, undefined]);
  });

  async function verified({ scripts, known, ofDomain, open, email = ADA, context, unreached, shows }: Row) {
    if (known) await stage.learn(email, known);
    if (ofDomain) await stage.learn(BOB, ofDomain);
    if (open) stage.breakCircuit('kickbox');
    stage.scripts = scripts;
    const { answer, trace } = await stage.verify(email, {
      ...(context && { context }),
      ...(unreached && { unreached }),
    });
    const { providerFailures, route } = trace.detail;
    const [failed, missed] = [providerFailures?.length !== 0, route?.some((step) => step.missed) === true];
    expect({ failed, missed }).toEqual({ failed: shows === 'failed', missed: shows === 'missed' });
    return { answer, trace };
  }

  it.each(YES)('when $when', async (row) => {
    const { answer, trace } = await verified(row);
    expect(answer).toMatchObject({ degraded: true, verdict: 'unknown' });
    expect(trace).toMatchObject({ degraded: true, verdict: 'unknown' });
  });

  it.each(NO)('not when $when', async (row) => {
    const { answer, trace } = await verified(row);
    expect(answer).not.toHaveProperty('degraded');
    expect(trace.degraded).toBe(false);
  });
});
