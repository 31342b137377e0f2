import type { Decision, EmployeesRange, IcpFit, Op, Seniority } from '../../contract/policy.ts';
import type { ScreeningLabels, ScreeningReason } from '../../contract/screening.ts';
import type { Verification } from '../../contract/verification.ts';
import type { CheckReason, Purpose } from '../../contract/vocabulary.ts';

/** A closed set's members in order. Omitting one does not compile. */
const membersOf = <T extends string>(members: Readonly<Record<T, true>>): readonly T[] => Object.keys(members) as T[];

export const DECISIONS = membersOf<Decision>({
  allow: true,
  allow_with_flow: true,
  review: true,
  challenge: true,
  deny: true,
});

export const OPS = membersOf<Op>({
  eq: true,
  ne: true,
  in: true,
  not_in: true,
  gt: true,
  gte: true,
  lt: true,
  lte: true,
  exists: true,
  contains: true,
  starts_with: true,
  ends_with: true,
});

/** Smallest first. */
export const EMPLOYEES_RANGES = membersOf<EmployeesRange>({
  '1-10': true,
  '11-50': true,
  '51-200': true,
  '201-500': true,
  '501-1000': true,
  '1001-5000': true,
  '5001-10000': true,
  '10001+': true,
});

/** Lowest first. */
export const SENIORITIES = membersOf<Seniority>({
  junior: true,
  senior: true,
  manager: true,
  director: true,
  executive: true,
});

export const ICP_FITS = membersOf<IcpFit>({ strong: true, partial: true, none: true, unknown: true });

/** A fact's source: the first part of its path. */
export type FactSource = 'verification' | 'attributes' | 'context' | AskedSource;

/** Sources that are asked only when a rule depends on them. */
export type AskedSource = 'screening' | EnrichmentKind | 'icp';

/** What enrichment returns; `icp` derives from it. */
export type EnrichmentKind = 'company' | 'person';

export type PathType =
  | { readonly is: 'number' | 'boolean' | 'string' | 'country' | 'any' }
  /** One word of a closed set, or several. */
  | { readonly is: 'word' | 'words'; readonly of: readonly string[] };

const NUMBER: PathType = { is: 'number' };
const BOOLEAN: PathType = { is: 'boolean' };
const STRING: PathType = { is: 'string' };
/** Attributes are free, so the compared value gives the type. */
const ANY: PathType = { is: 'any' };
const word = <T extends string>(members: Readonly<Record<T, true>>): PathType => ({
  is: 'word',
  of: membersOf(members),
});

const CHECK_REASONS = membersOf<CheckReason>({
  syntax_invalid: true,
  address_blocklisted: true,
  domain_blocklisted: true,
  no_mx: true,
  mx_unresolved: true,
  disposable_domain: true,
  disposable_suspected: true,
  domain_allowlisted: true,
  address_allowlisted: true,
});

const SCREENING_REASONS = membersOf<ScreeningReason>({
  syntax_invalid: true,
  address_blocklisted: true,
  domain_blocklisted: true,
  no_mx: true,
  disposable_domain: true,
  typo_domain: true,
  typo_name: true,
  placeholder: true,
  name_mismatch: true,
  fake_name: true,
  domain_suspicious: true,
  role_account: true,
});

/** Every value a rule can read, apart from attributes. */
const PATHS: ReadonlyMap<string, PathType> = new Map(
  Object.entries({
    'verification.email': STRING,
    'verification.verdict': word<Verification['verdict']>({
      valid: true,
      likely_valid: true,
      risky: true,
      likely_invalid: true,
      invalid: true,
      unknown: true,
    }),
    'verification.bounce_probability': NUMBER,
    'verification.calibration': word<Verification['calibration']>({ prior: true, fitted: true }),
    'verification.recommendation': word<Verification['recommendation']>({
      send: true,
      hold: true,
      challenge: true,
      drop: true,
    }),
    'verification.actor_class': word<Verification['actor_class']>({
      human_mailbox: true,
      agent_mailbox: true,
      relay_alias: true,
      role_account: true,
      shared: true,
      unknown: true,
    }),
    'verification.mailbox_type': word<Verification['mailbox_type']>({
      corporate: true,
      consumer: true,
      role: true,
      unknown: true,
    }),
    'verification.esp': word<Verification['esp']>({
      hosted_suite_a: true,
      hosted_suite_b: true,
      consumer_esp: true,
      self_hosted: true,
      unknown: true,
    }),
    'verification.email_type': word<Verification['email_type']>({
      business: true,
      free: true,
      role: true,
      disposable: true,
      relay: true,
      unknown: true,
    }),
    'verification.did_you_mean': STRING,
    'verification.signals.syntax': BOOLEAN,
    'verification.signals.mx': BOOLEAN,
    'verification.signals.disposable': BOOLEAN,
    'verification.signals.role_account': BOOLEAN,
    'verification.signals.catch_all': BOOLEAN,
    'verification.signals.relay_alias': BOOLEAN,
    'verification.signals.warning': word<NonNullable<Verification['signals']['warning']>>({
      spam_trap: true,
      complainer: true,
      suppressed: true,
      toxic: true,
      do_not_mail: true,
      disposable: true,
    }),
    'verification.disagreement': NUMBER,
    'verification.cache.hit': BOOLEAN,
    'verification.cache.ttl_s': NUMBER,
    'verification.cost_usd': NUMBER,
    'verification.latency_ms': NUMBER,
    'verification.trace_id': STRING,
    'verification.reason': { is: 'word', of: CHECK_REASONS },
    'verification.reasons': { is: 'words', of: CHECK_REASONS },
    'verification.degraded': BOOLEAN,
    'verification.identity_hash': STRING,

    'screening.typo_suggestion': STRING,
    'screening.typo_source': word<NonNullable<ScreeningLabels['typo_source']>>({ name_match: true, domain: true }),
    'screening.name_match': word<ScreeningLabels['name_match']>({
      match: true,
      typo: true,
      partial: true,
      mismatch: true,
      not_checked: true,
    }),
    'screening.fake_name': word<ScreeningLabels['fake_name']>({
      likely: true,
      unlikely: true,
      uncertain: true,
      not_checked: true,
    }),
    'screening.domain_check': word<ScreeningLabels['domain_check']>({
      ok: true,
      typo_like: true,
      lookalike: true,
      placeholder: true,
      throwaway_like: true,
      uncertain: true,
      not_checked: true,
    }),
    'screening.placeholder': BOOLEAN,
    'screening.recommendation': word<ScreeningLabels['recommendation']>({ allow: true, review: true }),
    'screening.reasons': { is: 'words', of: SCREENING_REASONS },
    'screening.degraded': BOOLEAN,

    'company.name': STRING,
    'company.domain': STRING,
    'company.industry': STRING,
    'company.employees_range': { is: 'word', of: EMPLOYEES_RANGES },
    'company.country': { is: 'country' },
    'person.seniority': { is: 'word', of: SENIORITIES },
    'icp.fit': { is: 'word', of: ICP_FITS },

    'context.purpose': word<Purpose>({ outbound: true, signup: true, list_hygiene: true }),
    'context.sender_domain': STRING,
    'context.max_cost_usd': NUMBER,
    'context.max_latency_ms': NUMBER,
  } satisfies Record<`${FactSource}.${string}`, PathType>),
);

const ATTRIBUTE = /^attributes\.[a-z][a-z0-9_]{0,63}$/;

export const pathType = (path: string): PathType | null => PATHS.get(path) ?? (ATTRIBUTE.test(path) ? ANY : null);

export const KNOWN_PATHS: readonly string[] = [...PATHS.keys()];

const NAMESPACES = [...new Set(KNOWN_PATHS.map((path) => path.slice(0, path.indexOf('.')))), 'attributes'];

/** Why a value is not a path, with alternatives. */
export function pathProblem(value: unknown): string {
  const namespace = typeof value === 'string' ? value.split('.', 1)[0] : undefined;
  if (namespace === 'attributes') return 'must be `attributes.` and 1 to 64 of a-z, 0-9 and _ with a letter first';
  const near = KNOWN_PATHS.filter((path) => path.startsWith(`${namespace}.`));
  return near.length > 0 ? `must be one of ${near.join(', ')}` : `must begin with one of ${NAMESPACES.join(', ')}`;
}

/** The source of a path that `pathType` knows. */
export const sourceOf = (path: string): FactSource => path.slice(0, path.indexOf('.')) as FactSource;

/** Operators that make sense for a type; any other would always or never match. */
export const OPS_BY_TYPE: Readonly<Record<PathType['is'], readonly Op[]>> = {
  number: ['eq', 'ne', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'exists'],
  boolean: ['eq', 'ne', 'exists'],
  string: ['eq', 'ne', 'in', 'not_in', 'exists', 'contains', 'starts_with', 'ends_with'],
  word: ['eq', 'ne', 'in', 'not_in', 'exists'],
  country: ['eq', 'ne', 'in', 'not_in', 'exists'],
  words: ['contains', 'exists'],
  any: ['eq', 'ne', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'exists', 'contains', 'starts_with', 'ends_with'],
};
