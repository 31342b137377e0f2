import { sharedAcceptsAll } from '../../src/domain/belief/accepts-all.ts';
import {
  type KnownAnswer,
  newestOfEach,
  type Observation,
  type ObservationContext,
  withObservation,
} from '../../src/domain/belief/facts.ts';
import { acceptsAllShown, initialState, type PredictionContext } from '../../src/domain/belief/groups.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { believe } from '../../src/domain/belief/posterior.ts';
import { Contradictions, ReportTallies, type ReportTally, tallyChanges } from '../../src/domain/belief/trust.ts';
import { SERVICE_LOSSES, groundsFrom, recommend, stakesOf } from '../../src/domain/router/losses.ts';
import type { Askable } from '../../src/domain/router/provider-health.ts';
import { type RouteInput, route } from '../../src/domain/router/router.ts';
import { AccountRows } from '../../test/support/account.ts';

const UNLIMITED = { costMicros: Number.MAX_SAFE_INTEGER, timeMs: Number.MAX_SAFE_INTEGER };

/** A look at one address, answer by answer. */
export interface Look {
  readonly isCatchAll: boolean;
  input(): RouteInput;
  belief(): ReturnType<typeof believe>;
  recommendation(): ReturnType<typeof recommend>;
  /** The router's next choice. */
  next(): ReturnType<typeof route>['choice'];
  told(answer: Omit<KnownAnswer, 'at'>): void;
  /** The observations in the answers are stored. */
  end(): void;
}

/**
 * An account in memory, as an organisation's object keeps it: the product's own functions learn, fold and judge. Only storage and
 * the tables of SQL are missing.
 */
export class ModelAccount extends AccountRows<ReportTallies> {
  private readonly tallies: ReportTally[] = [];

  constructor() {
    super(new ReportTallies([]));
  }

  learn(news: Observation, now: number): void {
    const name = news.context.address;
    const row = this.rows.get(name) ?? null;
    const facts = withObservation(row?.facts ?? null, news, now);
    if (news.report !== null)
      for (const change of tallyChanges(row?.facts.reports ?? [], facts.reports, news.report.of, facts.host)) {
        this.tallies.push(change);
        this.trust.add(change);
      }
    this.fold(name, facts, now);
  }

  /** Which sources err is found out with it. */
  override recompute(now: number): void {
    super.recompute(now);
    const contradictions = new Contradictions();
    for (const { facts } of this.rows.values()) contradictions.note(facts);
    this.trust = new ReportTallies(this.tallies, contradictions.errors());
  }

  /** @param isFile the address is a row of a file */
  look(context: ObservationContext, providers: readonly Askable[], isFile = false): Look {
    const { address, host, features, purpose, domain, at: now } = context;
    const row = this.rows.get(address) ?? null;
    const list = isFile ? context.list : (row?.facts.list ?? context.list);
    const groups = this.groups({ domain, list });
    const predictionContext: PredictionContext = {
      host,
      features,
      purpose,
      sharedAcceptsAll: sharedAcceptsAll(MODEL, host, null),
      groups,
      own: { name: address, contribution: row?.contribution ?? null },
      isOwnList: row?.facts.list === list,
      now,
    };
    const reports = row?.facts.reports.filter((report) => this.trust.isCounted(report, host, now)) ?? [];
    const proofs = row?.facts.proofs ?? [];
    const isTrusted = this.trust.isAnyTrusted(now);
    const stakes = stakesOf(SERVICE_LOSSES, purpose);
    const isCatchAll = acceptsAllShown(MODEL, host, groups.domain, now) ?? false;
    const fresh: KnownAnswer[] = [];
    const input = (): RouteInput => {
      const answers: readonly KnownAnswer[] = newestOfEach([...(row?.facts.answers ?? []), ...fresh]);
      return {
        model: MODEL,
        host,
        features,
        purpose,
        initial: initialState(MODEL, predictionContext, { answers, reports, proofs }, { isTrusted, isFile }),
        answers,
        reports,
        proofs,
        errors: this.trust.errors,
        now,
        stakes,
        isFile,
        isCatchAll,
        isRuled: false,
        warning: answers.findLast(({ warning }) => warning !== undefined)?.warning ?? null,
        providers,
        asked: new Set(fresh.map(({ provider }) => provider)),
        left: UNLIMITED,
      };
    };
    return {
      isCatchAll,
      input,
      belief: () => believe(input()),
      recommendation() {
        const given = input();
        return recommend(believe(given), stakes, groundsFrom(given), false);
      },
      next: () => route(input()).choice,
      told: (answer) => void fresh.push({ ...answer, at: now }),
      end: () => {
        if (fresh.length > 0) this.learn({ context, answers: fresh, report: null, proof: null }, now);
      },
    };
  }
}
