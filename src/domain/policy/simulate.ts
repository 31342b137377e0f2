import type { Company } from '../../contract/decision.ts';
import type { Decision, Experiment, Simulation } from '../../contract/policy.ts';
import type { EmailType } from '../../contract/vocabulary.ts';
import { DAY_MS, epochSeconds } from '../../kernel/clock.ts';
import { type Id, idTimeMs } from '../../kernel/ids.ts';
import { usd } from '../metering/usage.ts';
import { type Changes, countChanges, type DecidableTrace, type TraceRecord } from '../traces/traces.ts';
import { type CompiledCondition, type CompiledPolicy, type Facts, type Value, flatten, icpFit } from './compile.ts';
import { type Arm, armOf, evaluate } from './evaluate.ts';
import { DECISIONS } from '../../contract/words.ts';
import { type FactSource, KNOWN_PATHS } from './paths.ts';

type StoredDecision = NonNullable<TraceRecord['policyDecision']>;

export interface SimulationRun {
  /** Whether the draft reads values from the traces' detail. */
  readonly readsDetail: boolean;
  /** Takes a page of traces, newest first; order does not change the counts. */
  add(traces: Iterable<DecidableTrace>): void;
  /** The first traces that the draft denies. */
  denied(): readonly Id<'vr' | 'dc'>[];
  result(): Omit<Simulation, 'window_days' | 'complete' | 'denied'>;
}

const RULE_SAMPLES_MAX = 5;
const DENIED_MAX = 500;

type Counts = Record<Decision, number>;
/** The draft's decisions by kind of call, and on traces that its policy decided. */
interface KindTally {
  readonly counts: Counts;
  decided: number;
  readonly changes: Changes<Decision>;
}
const noCounts = (): Counts => Object.fromEntries(DECISIONS.map((decision) => [decision, 0])) as Counts;

const noTally = (): KindTally => ({ counts: noCounts(), decided: 0, changes: countChanges() });

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/**
 * Runs a draft of the policy `slug` against stored traces, page by page. A value missing then is missing now. A trace
 * is `undetermined` if the draft depends on a value that traces don't store (screening, an address, enrichment that was
 * not asked for, the arm of an erased address). Only that policy's own decisions can change.
 */
export function openSimulation(policy: CompiledPolicy, slug: string): SimulationRun {
  const counts = noCounts();
  const kinds = new Map<DecidableTrace['kind'], KindTally>();
  const days = new Map<number, Counts>();
  const rules = new Map<string, { count: number; samples: Id<'vr' | 'dc'>[] }>();
  const denied: Id<'vr' | 'dc'>[] = [];
  const changes = countChanges<Decision>();
  let traces = 0;
  let undetermined = 0;

  const note = (record: DecidableTrace): void => {
    const made = record.policyDecision;
    traces += 1;
    const facts = storedFacts(policy, record);
    const evaluation = evaluate(policy, facts, (experiment) => recallArm(experiment, record));
    if (evaluation.kind === 'undecided') {
      undetermined += 1;
      return;
    }
    const to = evaluation.decision;
    counts[to] += 1;
    const kind = entryOf(kinds, record.kind, noTally);
    kind.counts[to] += 1;
    const madeAt = idTimeMs(record.id);
    entryOf(days, madeAt - (madeAt % DAY_MS), noCounts)[to] += 1;
    const rule = entryOf(rules, evaluation.ruleId, () => ({ count: 0, samples: [] }));
    rule.count += 1;
    if (rule.samples.length < RULE_SAMPLES_MAX) rule.samples.push(record.id);
    if (to === 'deny' && denied.length < DENIED_MAX) denied.push(record.id);
    if (made?.policy.slug !== slug) return;
    kind.decided += 1;
    for (const each of [changes, kind.changes]) each.note(record.id, made.decision, to);
  };

  return {
    readsDetail: policy.rules.some(({ when }) => pathsOf(when).some(isInDetail)),
    add: (page) => {
      for (const trace of page) note(trace);
    },
    result: () => ({
      traces,
      counts: { ...counts },
      undetermined,
      ...changes.result(),
      by_kind: Array.from(kinds, ([kind, { counts: each, decided, changes: ofKind }]) => ({
        kind,
        counts: each,
        decided,
        changed: ofKind.result().changed,
      })).sort((a, b) => (a.kind < b.kind ? -1 : 1)),
      by_rule: Array.from(rules, ([rule_id, { count, samples: some }]) => ({
        rule_id,
        count,
        sample_trace_ids: some,
      })).sort((a, b) => b.count - a.count),
      by_day: Array.from(days, ([at, each]) => ({ at: epochSeconds(at), counts: each })).sort((a, b) => a.at - b.at),
    }),
    denied: () => denied,
  };
}

/** A trace lacks the hash if the address could not be parsed (its reason says so), or was erased. */
const recallArm = (experiment: Experiment, { addressHash, reason }: DecidableTrace): Arm | null =>
  addressHash === null && reason !== 'syntax_invalid' && experiment.weight < 100
    ? null
    : armOf(experiment, addressHash);

/** Verification values that traces don't store. */
const NEVER_STORED = ['verification.email', 'verification.identity_hash', 'verification.cache.ttl_s'];
/** Verification values that traces store masked. */
const MASKED: ReadonlySet<string> = new Set(['verification.did_you_mean']);
/** Company values that traces don't store. */
const NEVER_STORED_OF_COMPANY = ['company.name', 'company.domain'];
/** A decision's trace has the cost and time of the whole decision instead. */
const NEVER_STORED_OF_DECISION = [...NEVER_STORED, 'verification.cost_usd', 'verification.latency_ms'];
/** Values that go with the trace's detail. */
const DETAIL: readonly string[] = [
  ...KNOWN_PATHS.filter((path) => path.startsWith('verification.signals.')),
  'verification.calibration',
  'verification.disagreement',
  'verification.reasons',
];

const IN_DETAIL: ReadonlySet<string> = new Set(DETAIL);
const isInDetail = (path: string): boolean => IN_DETAIL.has(path) || path.startsWith('context.');

function pathsOf(condition: CompiledCondition): string[] {
  if (condition.kind === 'comparison') return [condition.path];
  return condition.kind === 'not' ? pathsOf(condition.child) : condition.children.flatMap(pathsOf);
}

const WARNING = 'verification.signals.warning';

/** `sent`: without detail, only `send` proves that no provider warned about the address. */
const setsOf = (paths: readonly string[]) => ({
  whole: new Set(paths),
  bare: new Set([...paths, ...DETAIL]),
  sent: new Set([...paths, ...DETAIL].filter((path) => path !== WARNING)),
});
const UNSTORED = {
  verify: setsOf(NEVER_STORED),
  decide: setsOf(NEVER_STORED_OF_DECISION),
  decideWithCompany: setsOf([...NEVER_STORED_OF_DECISION, ...NEVER_STORED_OF_COMPANY]),
} as const;

/** A decision's trace, or a bulk row's whose job ran a policy. */
const isOfDecision = ({ policyDecision }: DecidableTrace): boolean => policyDecision !== null;

/** Vendors are never asked about these kinds of address, so an unstored value was missing. */
const WITHOUT_COMPANY: ReadonlySet<EmailType | null> = new Set(['free', 'relay', 'disposable'] as const);
const WITHOUT_PERSON: ReadonlySet<EmailType | null> = new Set(['role', 'relay', 'disposable'] as const);

function storedFacts(policy: CompiledPolicy, record: DecidableTrace): Facts {
  const { detail, policyDecision: made } = record;
  const values = new Map<string, Value>();
  const known = new Set<FactSource>(['verification']);
  flatten('verification', verificationOf(record), values);
  const attributes = made === null ? {} : made.attributes;
  // Erased with the address.
  if (attributes) enter('attributes', attributes);
  if (detail !== null) enter('context', detail.context ?? {});
  const company = made?.company ?? (WITHOUT_COMPANY.has(record.emailType) ? null : made?.company);
  const person = made?.person ?? (WITHOUT_PERSON.has(record.emailType) ? null : made?.person);
  if (company !== undefined) enter('company', company);
  if (person !== undefined) enter('person', person);
  if ([...policy.icpSources].every((source) => known.has(source)))
    enter('icp', { fit: icpFit(policy.icp, storedCompany(made), person ?? null) });
  const kept = !isOfDecision(record) ? 'verify' : company ? 'decideWithCompany' : 'decide';
  const left = detail !== null ? 'whole' : record.recommendation === 'send' ? 'sent' : 'bare';
  const unstored = UNSTORED[kept][left];
  return { values, known, unstored, masked: MASKED };

  function enter(source: FactSource, value: object | null): void {
    known.add(source);
    if (value !== null) flatten(source, value, values);
  }
}

const storedCompany = (made: StoredDecision | null): Company | null =>
  made?.company ? { name: null, domain: null, ...made.company } : null;

const verificationOf = (record: DecidableTrace) => ({
  verdict: record.verdict,
  bounce_probability: record.bounceProbability,
  recommendation: record.recommendation,
  reason: record.reason,
  email_type: record.emailType,
  did_you_mean: record.meantDomain,
  esp: record.esp,
  actor_class: record.actorClass,
  mailbox_type: record.mailboxType,
  cost_usd: isOfDecision(record) ? null : usd(record.costMicros),
  latency_ms: isOfDecision(record) ? null : record.latencyMs,
  cache: { hit: record.cacheHit },
  // As in the answer: true or absent.
  degraded: record.degraded || null,
  trace_id: record.verificationId ?? record.id,
  // Two of them outlive the detail.
  ...(record.detail === null
    ? { signals: { disposable: record.disposable, role_account: record.roleAccount } }
    : {
        signals: record.detail.signals,
        disagreement: record.detail.disagreement,
        calibration: record.detail.calibration,
        reasons: record.detail.reasons,
      }),
});
