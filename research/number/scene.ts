import type { Purpose, Recommendation, Verdict } from '../../src/contract/vocabulary.ts';
import { verdictOf } from '../../src/domain/answer/answer-shown.ts';
import type { DeliveryClass, Feature, LifeClass, ObservationContext } from '../../src/domain/belief/facts.ts';
import { type HostClass, isShared } from '../../src/domain/belief/host-class.ts';
import type { ProviderId, ProviderVerdict, ProviderWarning } from '../../src/domain/belief/provider.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { seedOf } from '../../test/support/seeded-random.ts';
import { type Look, ModelAccount } from './account.ts';
import { askable } from './money.ts';

/** A row of the table of everyday cases: its result must meet the requirement. */
export interface Case {
  readonly situation: string;
  readonly required: string;
  readonly found: string;
  readonly ok: boolean;
}

export const PURPOSES = ['signup', 'outbound', 'list_hygiene'] as const satisfies readonly Purpose[];
/** Hosts whose domains mostly distinguish mailboxes. */
export const STRICT = [
  'google_consumer',
  'microsoft_consumer',
  'yahoo_consumer',
  'apple_consumer',
  'google_business',
  'unknown_business',
] as const satisfies readonly HostClass[];
export const ORDINARY = [...STRICT, 'microsoft_business'] as const;

export interface Person {
  readonly address: string;
  readonly domain: string;
  readonly host: HostClass;
  readonly features: readonly Feature[];
}

export interface Asked {
  readonly p: number;
  readonly width: number;
  readonly verdict: Verdict;
  readonly recommendation: Recommendation;
  readonly isCatchAll: boolean;
}

let numbers = 0;
const name = (): string => {
  numbers += 1;
  return seedOf(41, numbers).toString(16).padStart(8, '0') + numbers.toString(16).padStart(24, '0');
};
export const newDomain = (host: HostClass): string => (isShared(host) ? host : name());
export const personAt = (host: HostClass, domain = newDomain(host), features: readonly Feature[] = []): Person => ({
  address: name(),
  domain,
  host,
  features,
});

/** An account over time: requests, answers and reports; vendors' answers are given word by word. */
export class Scene {
  private readonly account = new ModelAccount();
  private now = Date.UTC(2026, 8, 1);

  pass(days: number): void {
    this.now += days * DAY_MS;
  }

  private contextOf({ address, domain, host, features }: Person, purpose: Purpose, list: string): ObservationContext {
    return { address, domain, list, at: this.now, host, features, purpose };
  }

  look(
    person: Person,
    purpose: Purpose,
    isFile: boolean,
    vendors: readonly ProviderId[],
    list = `list ${purpose}`,
  ): Look {
    return this.account.look(this.contextOf(person, purpose, list), askable(vendors), isFile);
  }

  /** The answer without asking anybody. */
  answer(person: Person, purpose: Purpose, isFile = purpose === 'list_hygiene'): Asked {
    return answerOf(this.look(person, purpose, isFile, []));
  }

  told(
    person: Person,
    purpose: Purpose,
    provider: ProviderId,
    verdict: ProviderVerdict,
    more: { warning?: ProviderWarning; full?: true } = {},
  ): void {
    const answer = { provider, verdict, at: this.now, ...(verdict === 'catch_all' && { catch_all: true }), ...more };
    const context = this.contextOf(person, purpose, `list ${purpose}`);
    this.account.learn({ context, answers: [answer], report: null, proof: null }, this.now);
  }

  reported(person: Person, purpose: Purpose, kind: DeliveryClass, source = 'key'): void {
    const report = { class: kind, at: this.now, of: name(), source };
    const context = this.contextOf(person, purpose, `list ${purpose}`);
    this.account.learn({ context, answers: [], report, proof: null }, this.now);
  }

  proved(person: Person, purpose: Purpose, kind: LifeClass): void {
    const context = this.contextOf(person, purpose, `list ${purpose}`);
    this.account.learn({ context, answers: [], report: null, proof: { class: kind, at: this.now } }, this.now);
  }
}

function answerOf(look: Look): Asked {
  const belief = look.belief();
  const isBlind = look.input().host.startsWith('unresolved') && look.input().answers.length === 0;
  return {
    p: belief.probability,
    width: belief.interval[1] - belief.interval[0],
    verdict: verdictOf(belief, isBlind),
    recommendation: look.recommendation(),
    isCatchAll: look.isCatchAll,
  };
}

export const shown = (value: number): string => value.toFixed(3);
export const isOnly = (all: readonly Asked[], verdict: string, recommendation: string): boolean =>
  all.every((one) => one.verdict === verdict && one.recommendation === recommendation);
export const said = (all: readonly Asked[]): string =>
  [...new Set(all.map(({ verdict, recommendation }) => `${verdict}, ${recommendation}`))].join('; ');
export const actions = (all: readonly Asked[]): string =>
  [...new Set(all.map(({ recommendation }) => recommendation))].join(', ');
export const most = (all: readonly Asked[]): number => Math.max(...all.map(({ p }) => p));
export const least = (all: readonly Asked[]): number => Math.min(...all.map(({ p }) => p));
