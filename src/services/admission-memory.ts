import QuickLRU from 'quick-lru';
import { hasNoRule } from '../domain/rules/types.ts';
import type { Id } from '../kernel/ids.ts';
import type { AdmitAnswer } from '../organisation/api.ts';

/** Each takes about a kilobyte. */
const ANSWERS_MAX = 1_000;
const ORGANISATIONS_MAX = 1_000;

/** What an organisation's object said last of addresses without a rule and a history: the same of all of a domain, to one key. */
export class AdmissionMemory {
  private readonly answers = new QuickLRU<string, AdmitAnswer>({ maxSize: ANSWERS_MAX });
  /** The newest revision of each organisation. */
  private readonly revisions = new QuickLRU<string, string>({ maxSize: ORGANISATIONS_MAX });

  /** `name`: of key, domain and list. Undefined: nothing was said of it since the organisation's last revision. */
  find(organisationId: Id<'org'>, name: string): AdmitAnswer | undefined {
    const answer = this.answers.get(name);
    return answer !== undefined && answer.revision === this.revisions.get(organisationId) ? answer : undefined;
  }

  /** Keeps what may be said again. */
  note(organisationId: Id<'org'>, name: string, answer: AdmitAnswer): void {
    const { revision, rules, history } = answer;
    if (revision === undefined) return;
    this.revisions.set(organisationId, revision);
    if (hasNoRule(rules) && history?.address === null) this.answers.set(name, answer);
  }

  /** The organisation has learnt something, or refuses. */
  forget(organisationId: Id<'org'>): void {
    this.revisions.delete(organisationId);
  }
}
