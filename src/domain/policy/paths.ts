import type { Op } from '../../contract/policy.ts';
import * as words from '../../contract/words.ts';

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
const word = (of: readonly string[]): PathType => ({ is: 'word', of });

/** Every value a rule can read, apart from attributes. */
const PATHS: ReadonlyMap<string, PathType> = new Map(
  Object.entries({
    'verification.email': STRING,
    'verification.verdict': word(words.VERDICTS),
    'verification.bounce_probability': NUMBER,
    'verification.calibration': word(words.CALIBRATIONS),
    'verification.recommendation': word(words.RECOMMENDATIONS),
    'verification.actor_class': word(words.ACTOR_CLASSES),
    'verification.mailbox_type': word(words.MAILBOX_TYPES),
    'verification.esp': word(words.ESPS),
    'verification.email_type': word(words.EMAIL_TYPES),
    'verification.did_you_mean': STRING,
    'verification.signals.syntax': BOOLEAN,
    'verification.signals.mx': BOOLEAN,
    'verification.signals.disposable': BOOLEAN,
    'verification.signals.role_account': BOOLEAN,
    'verification.signals.catch_all': BOOLEAN,
    'verification.signals.relay_alias': BOOLEAN,
    'verification.signals.warning': word(words.WARNINGS),
    'verification.disagreement': NUMBER,
    'verification.cache.hit': BOOLEAN,
    'verification.cache.ttl_s': NUMBER,
    'verification.cost_usd': NUMBER,
    'verification.latency_ms': NUMBER,
    'verification.trace_id': STRING,
    'verification.reason': word(words.CHECK_REASONS),
    'verification.reasons': { is: 'words', of: words.CHECK_REASONS },
    'verification.degraded': BOOLEAN,
    'verification.identity_hash': STRING,

    'screening.typo_suggestion': STRING,
    'screening.typo_source': word(words.TYPO_SOURCES),
    'screening.name_match': word(words.NAME_MATCHES),
    'screening.fake_name': word(words.FAKE_NAMES),
    'screening.domain_check': word(words.DOMAIN_CHECKS),
    'screening.placeholder': BOOLEAN,
    'screening.recommendation': word(words.SCREENING_RECOMMENDATIONS),
    'screening.reasons': { is: 'words', of: words.SCREENING_REASONS },
    'screening.degraded': BOOLEAN,

    'company.name': STRING,
    'company.domain': STRING,
    'company.industry': STRING,
    'company.employees_range': word(words.EMPLOYEES_RANGES),
    'company.country': { is: 'country' },
    'person.seniority': word(words.SENIORITIES),
    'icp.fit': word(words.ICP_FITS),

    'context.purpose': word(words.PURPOSES),
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
