import QuickLRU from 'quick-lru';
import { hasNoRule } from '../domain/rules/types.ts';
import type { Id } from '../kernel/ids.ts';
import type { AdmitAnswer } from '../organisation/api.ts';

/** Two thousand of two kilobytes each at most. */
const ORGANISATIONS_MAX = 50;
const ANSWERS_MAX = 20;

/** An admission that may be given again to an address without a rule and a history, and what names all that it says. */
export type SaidBefore = Omit<AdmitAnswer, 'rate' | 'earlier' | 'policy' | 'revision'> & { readonly revision: string };

/** What an organisation's object said last of addresses without a rule and a history: the same of all of a domain, to one key. */
export class AdmissionMemory {
  private readonly organisations = new QuickLRU<string, QuickLRU<string, SaidBefore>>({ maxSize: ORGANISATIONS_MAX });

  /** `name`: of key, domain and list. */
  find(organisationId: Id<'org'>, name: string): SaidBefore | undefined {
    return this.organisations.get(organisationId)?.get(name);
  }

  /** Keeps what may be said again. */
  note(
    organisationId: Id<'org'>,
    name: string,
    { rate: _, earlier: __, policy: ___, revision, ...said }: AdmitAnswer,
  ): void {
    if (revision === undefined || !hasNoRule(said.rules) || said.history?.address !== null) return;
    const answers = this.organisations.get(organisationId) ?? new QuickLRU({ maxSize: ANSWERS_MAX });
    answers.set(name, { ...said, revision });
    this.organisations.set(organisationId, answers);
  }

  /** A vendor was to be asked about an address there, as about the next perhaps. */
  drop(organisationId: Id<'org'>, name: string): void {
    this.organisations.get(organisationId)?.delete(name);
  }

  /** The organisation has learnt something, refuses, or is out of reach. */
  forget(organisationId: Id<'org'>): void {
    this.organisations.delete(organisationId);
  }
}
