import { sharedAcceptsAll } from '../../src/domain/belief/accepts-all.ts';
import {
  type AddressFacts,
  type KnownAnswer,
  newestOfEach,
  type Observation,
  type ObservationContext,
  remembered,
  withObservation,
} from '../../src/domain/belief/facts.ts';
import {
  acceptsAllShown,
  type Contribution,
  type DomainGroup,
  type Effect,
  type Groups,
  initialState,
  type PredictionContext,
} from '../../src/domain/belief/groups.ts';
import { isShared } from '../../src/domain/belief/host-class.ts';
import { learn } from '../../src/domain/belief/learning.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { believe } from '../../src/domain/belief/posterior.ts';
import { Contradictions, ReportTallies, type ReportTally, tallyChanges } from '../../src/domain/belief/trust.ts';
import { SERVICE_LOSSES, stakesOf } from '../../src/domain/router/losses.ts';
import type { Askable } from '../../src/domain/router/provider-terms.ts';
import { groundsFrom, recommend } from '../../src/domain/router/recommend.ts';
import { type RouteInput, route } from '../../src/domain/router/router.ts';

/** What the account keeps of an address. */
interface Row {
  readonly facts: AddressFacts;
  readonly contribution: Contribution | null;
}

const UNLIMITED = { costMicros: Number.MAX_SAFE_INTEGER, timeMs: Number.MAX_SAFE_INTEGER };

/** A look at one address, answer by answer. */
export interface Look {
  readonly isCatchAll: boolean;
  input(): RouteInput;
  belief(): ReturnType<typeof believe>;
  recommendation(): ReturnType<typeof recommend>;
  /** What the router would ask next. */
  next(): ReturnType<typeof route>['choice'];
  told(answer: Omit<KnownAnswer, 'at'>): void;
  /** What the answers showed is learnt. */
  end(): void;
}

/**
 * An account in memory, as an organisation's object keeps it: the product's own functions learn, fold and judge. Only storage and
 * the tables of SQL are missing.
 */
export class ModelAccount {
  readonly rows = new Map<string, Row>();
  private domains = new Map<string, DomainGroup>();
  private lists = new Map<string, Effect>();
  private account: Effect | null = null;
  private catchAlls: Effect | null = null;
  private tallies: ReportTally[] = [];
  private trust = new ReportTallies([]);

  groupsOf({ domain, list }: Pick<AddressFacts, 'domain' | 'list'>): Groups {
    return {
      domain: this.domains.get(domain) ?? null,
      list: list === null ? null : (this.lists.get(list) ?? null),
      account: this.account,
      catchAlls: this.catchAlls,
    };
  }

  private put({ domain, list, host }: AddressFacts, groups: Groups): void {
    if (groups.domain !== null) this.domains.set(domain, groups.domain);
    if (groups.list !== null && list !== null) this.lists.set(list, groups.list);
    this.account = groups.account;
    if (!isShared(host)) this.catchAlls = groups.catchAlls;
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
    this.fold(name, facts, row?.contribution ?? null, now);
  }

  private fold(name: string, facts: AddressFacts, own: Contribution | null, now: number): void {
    const { groups, contribution } = learn(MODEL, name, facts, this.groupsOf(facts), own, this.trust, now);
    this.put(facts, groups);
    this.rows.set(name, { facts, contribution });
  }

  /** Folds every address anew, in the order of names; which sources err is found out on the way. */
  recompute(now: number): void {
    const contradictions = new Contradictions();
    [this.domains, this.lists, this.account, this.catchAlls] = [new Map(), new Map(), null, null];
    for (const [name, { facts }] of [...this.rows].sort(([one], [other]) => (one < other ? -1 : 1))) {
      this.fold(name, remembered(facts, now), null, now);
      contradictions.note(facts);
    }
    this.trust = new ReportTallies(this.tallies, contradictions.errors());
  }

  /** @param isFile the address is a row of a file */
  look(context: ObservationContext, providers: readonly Askable[], isFile = false): Look {
    const { address, host, features, purpose, domain, at: now } = context;
    const row = this.rows.get(address) ?? null;
    const groups = this.groupsOf({ domain, list: context.list });
    const predictionContext: PredictionContext = {
      host,
      features,
      purpose,
      sharedAcceptsAll: sharedAcceptsAll(MODEL, host, null),
      groups,
      own: { name: address, contribution: row?.contribution ?? null },
      isOwnList: row?.facts.list === context.list,
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
