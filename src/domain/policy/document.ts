import type { IcpProfile, PolicyDocument } from '../../contract/policy.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { err, ok, type Result } from '../../kernel/errors.ts';
import type { Author } from '../access/keys.ts';
import type { Id } from '../../kernel/ids.ts';
import {
  type Fault,
  type Members,
  type Report,
  checkCondition,
  isWordAt,
  listAt,
  member,
  memberAt,
  objectAt,
  textProblem,
} from './conditions.ts';
import { isCountryCode } from './countries.ts';
import DEFAULT from './default-policy.json' with { type: 'json' };
import { DECISIONS, EMPLOYEES_RANGES, SENIORITIES } from '../../contract/words.ts';

/** A decision may walk all rules. */
const RULES_MAX = 200;
/** Over all rules, which bounds one evaluation whatever their shape. */
const COMPARISONS_MAX = 2_000;
const GUARDRAILS_MAX = 10;
const PROFILE_MAX = 100;
const NAME_MAX = 200;
const DESCRIPTION_MAX = 500;
const FLOW_MAX = 100;
const SAMPLE_MAX = 1_000_000;

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** `rule_id` when no rule matched. */
export const DEFAULT_RULE_ID = 'default';
const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The contract's event names, and any `custom:` name. */
const EVENT =
  /^(?:signup_completed|activated|subscribed|upgraded|churned|refunded|support_ticket|fraud_flag|custom:[a-z][a-z0-9_]{0,63})$/;

export const isPolicySlug = (text: string): boolean => SLUG.test(text);

/** A stored policy: `icp` is null or has all its lists. */
export type ParsedPolicy = Omit<PolicyDocument, 'icp'> & { readonly icp: IcpProfile | null };

/** A fault of a text to be stored, or null. A document must not contain a person's address. */
export type TextFault = (text: string) => string | null;

/** Reads a document (any JSON value) and reports every fault with its position. Never throws. */
export function parsePolicy(json: unknown, textFault: TextFault): Result<ParsedPolicy, readonly Fault[]> {
  const faults: Fault[] = [];
  const report: Report = (at, problem) => void faults.push({ at, problem });
  const document = objectAt(json, '', ['name', 'rules', 'default', 'icp'], report);
  if (document === null) return err(faults);
  textAt(document, '', 'name', NAME_MAX, report);
  checkRules(member(document, 'rules'), report);
  const otherwise = member(document, 'default');
  if (isWordAt(otherwise, 'default', DECISIONS, report) && otherwise === 'allow_with_flow')
    report('default', 'must not be allow_with_flow, which needs a rule to name the flow');
  const icp = checkProfile(member(document, 'icp'), report);
  // Requires the right form, whose depth is bounded.
  if (faults.length === 0) checkTexts(json, '', textFault, report);
  if (faults.length > 0) return err(faults);
  const { name, rules } = document as PolicyDocument;
  return ok({ name, rules, default: otherwise as PolicyDocument['default'], icp });
}

function checkTexts(value: unknown, at: string, textFault: TextFault, report: Report): void {
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault !== null) report(at, fault);
  } else if (Array.isArray(value)) {
    value.forEach((one, i) => checkTexts(one, `${at}[${i}]`, textFault, report));
  } else {
    // A number, a boolean and null have no members.
    for (const [name, one] of Object.entries(value ?? {})) checkTexts(one, memberAt(at, name), textFault, report);
  }
}

function checkRules(value: unknown, report: Report): void {
  const rules = listAt(value, 'rules', { max: RULES_MAX }, report);
  const ids = uniqueIds(report, DEFAULT_RULE_ID);
  const experiments = uniqueIds(report, null);
  let comparisons = 0;
  rules.forEach((rule, i) => {
    const at = `rules[${i}]`;
    const object = objectAt(rule, at, ['id', 'description', 'when', 'decision', 'flow', 'experiment'], report);
    if (object === null) return;
    ids(member(object, 'id'), `${at}.id`);
    optionalTextAt(object, at, 'description', DESCRIPTION_MAX, report);
    checkCondition(member(object, 'when'), `${at}.when`, report, () => {
      comparisons += 1;
      if (comparisons === COMPARISONS_MAX + 1)
        report(`${at}.when`, `is past the ${COMPARISONS_MAX} comparisons of a policy`);
    });
    checkDecision(object, at, report);
    if (member(object, 'experiment') !== undefined)
      checkExperiment(object.experiment, `${at}.experiment`, experiments, report);
  });
}

/** Checks ids of one kind: unique, and not `taken`. */
function uniqueIds(report: Report, taken: string | null): (value: unknown, at: string) => void {
  const seen = new Map<string, string>();
  return (value, at) => {
    if (typeof value !== 'string') return report(at, value === undefined ? 'is required' : 'must be text');
    if (!ID.test(value)) return report(at, 'must be 1 to 64 letters, digits, `_`, `-` or `.`');
    if (value === taken) return report(at, `must not be \`${taken}\`, which stands for no rule`);
    const first = seen.get(value);
    if (first === undefined) seen.set(value, at);
    else report(at, `is the same as \`${first}\``);
  };
}

function checkDecision(rule: Members, at: string, report: Report): void {
  const decision = member(rule, 'decision');
  const flow = member(rule, 'flow');
  if (!isWordAt(decision, `${at}.decision`, DECISIONS, report)) return;
  if (decision === 'allow_with_flow') textAt(rule, at, 'flow', FLOW_MAX, report);
  else if (flow !== undefined) report(`${at}.flow`, 'belongs to the decision allow_with_flow only');
}

function checkExperiment(value: unknown, at: string, id: (value: unknown, at: string) => void, report: Report): void {
  const object = objectAt(value, at, ['id', 'weight', 'min_sample', 'guardrails'], report);
  if (object === null) return;
  id(member(object, 'id'), `${at}.id`);
  integerAt(object, at, 'weight', 100, report);
  integerAt(object, at, 'min_sample', SAMPLE_MAX, report);
  const guardrails = member(object, 'guardrails');
  if (guardrails === undefined) return;
  listAt(guardrails, `${at}.guardrails`, { max: GUARDRAILS_MAX }, report).forEach((name, i) => {
    if (typeof name !== 'string' || !EVENT.test(name)) report(`${at}.guardrails[${i}]`, 'is not an event name');
  });
}

const isEmployeesRange = (value: string): boolean => (EMPLOYEES_RANGES as readonly string[]).includes(value);
const isSeniority = (value: string): boolean => (SENIORITIES as readonly string[]).includes(value);

const PROFILE = {
  industries: { fits: (value: string) => textProblem(value) === null, problem: 'is not an industry' },
  employees_ranges: { fits: isEmployeesRange, problem: `must be one of ${EMPLOYEES_RANGES.join(', ')}` },
  countries: { fits: isCountryCode, problem: 'must be an ISO 3166-1 alpha-2 code' },
  seniorities: { fits: isSeniority, problem: `must be one of ${SENIORITIES.join(', ')}` },
} as const;

/** Null without a profile. An omitted list is empty. */
function checkProfile(value: unknown, report: Report): IcpProfile | null {
  if (value === undefined || value === null) return null;
  const object = objectAt(value, 'icp', Object.keys(PROFILE), report);
  if (object === null) return null;
  const lists = Object.entries(PROFILE).map(([name, { fits, problem }]) => {
    const list = listAt(member(object, name) ?? [], `icp.${name}`, { max: PROFILE_MAX }, report);
    list.forEach((entry, i) => {
      if (typeof entry !== 'string' || !fits(entry)) report(`icp.${name}[${i}]`, problem);
    });
    return [name, list] as const;
  });
  return Object.fromEntries(lists) as IcpProfile;
}

function textAt(object: Members, at: string, name: string, max: number, report: Report): void {
  const problem = textProblem(member(object, name), max);
  if (problem !== null) report(memberAt(at, name), problem);
}

function optionalTextAt(object: Members, at: string, name: string, max: number, report: Report): void {
  if (member(object, name) !== undefined) textAt(object, at, name, max, report);
}

function integerAt(object: Members, at: string, name: string, max: number, report: Report): void {
  const value = member(object, name);
  if (value === undefined) report(memberAt(at, name), 'is required');
  else if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > max)
    report(memberAt(at, name), `must be a whole number from 1 to ${max}`);
}

/** An immutable version of a policy. Time in epoch milliseconds. */
export interface PolicyVersion {
  readonly slug: string;
  /** Counts from 1. */
  readonly version: number;
  readonly document: string;
  readonly createdAt: number;
  /** A user or a key; null means a new organisation's default policy. */
  readonly createdBy: string | null;
}

export interface ProjectedPolicy extends PolicyVersion {
  readonly organisationId: Id<'org'>;
}

/** Each with any number of versions. */
export const POLICIES_MAX = 100;

export interface PolicyChange {
  /** The transport may send a change twice: it is made once, and both calls get the same answer. */
  readonly operationId: string;
  readonly slug: string;
  readonly document: string;
  readonly author: Author;
  /** Versions, one of which must be in force; `any`: some version must be. Null means no condition. */
  readonly expected: readonly number[] | 'any' | null;
}

export interface PolicySaved {
  readonly ok: true;
  readonly saved: Omit<PolicyVersion, 'document'>;
}

/** `conflict`: `inForce` is not an expected version (null: the policy does not exist). `full`: the limit is reached. */
export type PolicyRefused =
  | { readonly ok: false; readonly refusal: 'conflict'; readonly inForce: number | null }
  | { readonly ok: false; readonly refusal: 'full' };

export interface ListedPolicies {
  readonly policies: readonly PolicyVersion[];
  readonly isLast: boolean;
}

export interface PolicyPage {
  readonly limit: number;
  /** The last slug of the previous page. */
  readonly before: string | null;
}

export const DEFAULT_SLUG = 'default';

/**
 * A new organisation's policy, with one rule for each kind of address. The first match decides: a rule that denies a
 * kind comes first, and one that allows a kind comes after every reason against the address (a free mailbox that does
 * not exist is still denied). To turn such a rule to `deny`, move it to the front; in its old place it denies only what
 * would have been allowed. A typo is challenged, since the person can correct it.
 */
export const DEFAULT_POLICY = DEFAULT as ParsedPolicy;

/** SHA-256 of each default policy before `DEFAULT_POLICY`. Append-only. */
export const SUPERSEDED_DEFAULTS: readonly string[] = [];

export const isSuperseded = (document: string, superseded: readonly string[]): boolean =>
  superseded.includes(sha256Hex(document));
