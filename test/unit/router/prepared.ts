import { NO_HISTORY } from '../../../src/domain/answer/account.ts';
import { type Prepared, prepare } from '../../../src/domain/answer/prepared.ts';
import type { KnownAnswer } from '../../../src/domain/belief/facts.ts';
import { baselineAt } from '../../../src/domain/belief/groups.ts';
import type { HostClass } from '../../../src/domain/belief/host-class.ts';
import { SERVICE_LOSSES, type Stakes } from '../../../src/domain/router/losses.ts';
import { NO_RULES } from '../../../src/domain/rules/rules.ts';
import { OBSERVED } from '../../support/observed.ts';
import { rules } from '../answer/prechecks.ts';
import { stakesFor } from './route-input.ts';

/** An address that providers are asked about, from time 0 on. */
export interface AskCase {
  readonly host: HostClass;
  readonly known: readonly KnownAnswer[];
  readonly stakes: Stakes;
  readonly isRuled: boolean;
  /** What is left of the month's budget; null means it is unlimited. */
  readonly leftMicros: number | null;
  readonly maxCostUsd: number;
  readonly deadlineMs: number;
}

export function preparedFor(change: Partial<AskCase> = {}): Prepared {
  const { host = 'google_business', known = [], stakes = stakesFor('outbound'), isRuled = false } = change;
  const { leftMicros = null, maxCostUsd = 0.02, deadlineMs = 3_490 } = change;
  const account = {
    key: { id: 'key_1', mode: 'live' },
    rules: isRuled ? rules('allow') : NO_RULES,
    history: NO_HISTORY,
    providerLeftMicros: leftMicros,
    losses: SERVICE_LOSSES,
    off: [],
  } as const;
  const prepared = prepare(OBSERVED, account, {
    organisationId: 'org_a',
    mode: 'live',
    meter: 'verify',
    traceId: 'vr_1',
    startedAt: 0,
    context: { purpose: stakes.purpose },
    deadlineMs,
    maxCostUsd,
  });
  const prediction = baselineAt({ host, features: [], purpose: stakes.purpose, now: 0 });
  return { ...prepared, host, prediction, stakes, known: { ...prepared.known, answers: known } };
}
