import { vi } from 'vitest';
import { authorization, openTo, runVerb } from '../../../scripts/bench/use-case.ts';
import { classifyMailHosts, matchName, noneSuspected, suggestDomain } from '../../../scripts/lists/shipped.ts';
import { Verification, type VerificationContext } from '../../../src/contract/verification.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import type { MailHosts } from '../../../src/domain/dns/resolve.ts';
import type { Lists } from '../../../src/domain/lists/lists.ts';
import { ProviderHealthTracker } from '../../../src/domain/router/provider-health.ts';
import { NO_RULES } from '../../../src/domain/rules/rules.ts';
import type { TraceDetail, TraceRecord } from '../../../src/domain/traces/traces.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import type { Completion } from '../../../src/organisation/api.ts';
import { History } from '../../../src/organisation/history.ts';
import { bringUpToDate } from '../../../src/organisation/schema.ts';
import type { Authorization } from '../../../src/services/authorization.ts';
import type { Exchange } from '../../../src/services/verb.ts';
import type { VerifyDeps } from '../../../src/services/verification/judge.ts';
import { verify } from '../../../src/services/verification/verify.ts';
import { createDomainCache, DomainFacts } from '../../../src/storage/domain-facts.ts';
import { type FactStore, InvocationStore } from '../../../src/storage/kv.ts';
import { createObjectStorage } from '../../support/object-storage.ts';
import { type Scripts, scriptedAll, type VendorCall } from '../router/scripted-provider.ts';

const hosts = (...names: string[]): MailHosts => ({ kind: 'found', hosts: names, implicit: false });

/** Mail hosts by domain; any other domain is at Google Workspace, but the look-up of `dns-hangs.test` never ends. */
const MAIL: Readonly<Record<string, MailHosts>> = {
  'no-mail.test': { kind: 'none', why: 'null_mx' },
  'behind-barracuda.test': hosts('d1.ess.barracudanetworks.com'),
};
const AT_GOOGLE = hosts('aspmx.l.google.com');

const LISTS: Lists = {
  disposableTier: (domain) => (domain === 'throwaway.test' ? 'block' : null),
  isFreeProvider: () => false,
  isRelay: () => false,
  isAgent: () => false,
  isImitated: () => false,
  isKnown: () => false,
  isRoleName: () => false,
  isSharedName: () => false,
};

const AUTHORIZED = {
  key: { id: 'key_1', name: 'k', role: 'member', mode: 'live', origin: 'auto', operator: false, userId: null } as const,
  organisation: { id: 'org_a', accountId: 'acct_a', name: 'a' } as const,
  rules: NO_RULES,
  policy: null,
  earlier: null,
};

/** A request's answer, and what was stored. */
export interface Verified {
  readonly answer: Verification;
  /** Milliseconds from the request to its answer. */
  readonly afterMs: number;
  readonly trace: Omit<TraceRecord, 'detail'> & { readonly detail: TraceDetail };
  readonly spendMicros: number;
  readonly asked: readonly string[];
}

export interface Request {
  /** The organisation; default `org_a`. */
  readonly organisationId?: Id<'org'>;
  readonly context?: VerificationContext;
  /** Default: live. */
  readonly mode?: 'test';
  readonly earlier?: Extract<Authorization, { reached: true }>['earlier'];
  /** The organisation's object gives no answer. */
  readonly unreached?: true;
  /** How long the object takes to store the trace. */
  readonly settleMs?: number;
  /** An earlier answer of the same operation. */
  readonly settledAs?: string;
}

/** The use case over a cache in memory and scripted vendors, in fake time. */
export class Stage {
  readonly health = new ProviderHealthTracker();
  readonly stored = new Map<string, string>();
  /** What the objects know, by organisation. */
  private readonly histories = new Map<Id<'org'>, History>();
  /** Loads the lists that this isolate lacks. */
  freshLists: VerifyDeps['freshLists'] = async () => undefined;
  /** In place of the cache's own. */
  kv: Partial<FactStore> = {};
  scripts: Scripts = {};
  lists: Lists = LISTS;
  /** Work deferred until after the answers. */
  readonly deferred: Promise<unknown>[] = [];

  /** Verifies one address and waits for the deferred work. */
  async verify(email: string, request: Request = {}): Promise<Verified> {
    const { context, earlier = null, unreached, settleMs = 0, settledAs = null } = request;
    const { organisationId = 'org_a' } = request;
    const mode = request.mode ?? 'live';
    const authorized = {
      ...AUTHORIZED,
      earlier,
      key: { ...AUTHORIZED.key, mode } as const,
    };
    const calls: VendorCall[] = [];
    const startedAt = Date.now();
    const settled: Completion[] = [];
    const op: Exchange = {
      organisationId,
      mode,
      meter: 'verify',
      startedAt,
      traceId: 'vr_new',
      ...openTo(async (lookup) => {
        if (unreached === true) return authorization(null);
        const { addressHash = null, history: wanted } = lookup ?? {};
        if (addressHash === null || wanted === undefined) return authorization(authorized);
        const history = this.historyOf(organisationId).known(addressHash, wanted, authorized.key.id, Date.now());
        return authorization({ ...authorized, history });
      }),
      commit: async (completion) => {
        settled.push(completion);
        const { observation = null } = completion;
        if (observation !== null) this.historyOf(organisationId).learn([observation], Date.now());
        if (settleMs > 0) await new Promise((resolve) => setTimeout(resolve, settleMs));
        return settledAs;
      },
      endAnalysis: () => undefined,
      reserveEnrichment: async () => 'refused',
      reserveProviders: async () => 'refused',
      defer: (work) => void this.deferred.push(work),
    };
    const get = async (key: string) => this.stored.get(key) ?? null;
    const put = async (key: string, value: string) => void this.stored.set(key, value);
    const defer = (work: Promise<unknown>) => void this.deferred.push(work);
    const store = new InvocationStore({ get, put, ...this.kv }, defer);
    const deps: VerifyDeps = {
      lists: this.lists,
      classifyMailHosts,
      suggestDomain,
      matchName,
      backEnds: noneSuspected(LISTS),
      freshLists: this.freshLists,
      now: () => Date.now(),
      counters: { add: () => undefined },
      providers: scriptedAll(this.scripts, calls),
      health: this.health,
      domainFacts: new DomainFacts(store, createDomainCache(), () => Date.now()),
      hashAddress: (organisation, address) => sha256Hex(`${organisation} ${address}`),
      earlierHashes: () => [],
      hashIdentity: (organisation, address) => sha256Hex(`${organisation} identity ${address}`),
      async findMailHosts(domain, deadlineMs = Number.POSITIVE_INFINITY) {
        if (domain !== 'dns-hangs.test') return MAIL[domain] ?? AT_GOOGLE;
        await new Promise((resolve) => setTimeout(resolve, deadlineMs - Date.now()));
        return { kind: 'unresolved', why: 'timeout' };
      },
    };
    let endedAt = Number.NaN;
    const running = runVerb(deps, verify, op, { body: { email, ...(context && { context }) } }).finally(() => {
      endedAt = Date.now();
      store.end();
    });
    await vi.runAllTimersAsync();
    const answer = Verification.strict().parse(await running);
    const [completion] = settled;
    const trace = JSON.parse(completion?.trace.record ?? '{}') as Verified['trace'];
    const asked = calls.map(({ provider }) => provider);
    return { answer, afterMs: endedAt - startedAt, trace, spendMicros: completion?.spendMicros ?? 0, asked };
  }

  /** What the organisation's object knows of addresses, domains and lists. */
  historyOf(organisationId: Id<'org'> = 'org_a'): History {
    const known = this.histories.get(organisationId);
    if (known !== undefined) return known;
    const storage = createObjectStorage();
    bringUpToDate(storage.sql, (work) => storage.transactionSync(work));
    const made = new History(storage.sql, MODEL);
    this.histories.set(organisationId, made);
    return made;
  }

  /** Has the vendors of `scripts` answer about an address, and no others. */
  async learn(email: string, scripts: Scripts, organisationId: Id<'org'> = 'org_a'): Promise<void> {
    const before = this.scripts;
    this.scripts = scripts;
    await this.verify(email, { organisationId });
    this.scripts = before;
  }

  /** The provider has just failed often enough to open its circuit. */
  breakCircuit(id: Parameters<ProviderHealthTracker['note']>[0]): void {
    while (!this.health.healthOf(id, Date.now()).open) this.health.note(id, 50, 'server_error', Date.now());
  }
}
