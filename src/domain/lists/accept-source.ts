import { LARGE_PROVIDERS } from './large-providers.ts';
import type { SourceText } from './source-text.ts';
import type { BundledLists, Lists } from './types.ts';

/** Of a hundred entries of an honest list this many may be no domain, or legitimate by the bundled lists. */
const FAULTS_PER_HUNDRED = 1;
/** A source is no longer than all that is bundled, this many times. */
const BUNDLES_MAX = 2;
/** From one night to the next a source keeps this share of its domains … */
const KEPT_SHARE_MIN = 0.5;
/** … and gains this share, or so many where it is short. */
const GAINED_SHARE_MAX = 0.25;
const GAINED_MAX = 1_000;

/** Why nothing of a source is believed tonight; what it said before stands. */
export type SourceFault =
  | 'empty'
  | 'malformed'
  | 'too_many'
  | 'large_provider'
  | 'legitimate_domains'
  | 'lost_too_many'
  | 'gained_too_many';

export type SourceVerdict =
  | { readonly ok: false; readonly fault: SourceFault }
  | {
      readonly ok: true;
      /** Without what the bundled lists know to be legitimate. */
      readonly domains: readonly string[];
      readonly legitimate: number;
      readonly gained: number;
      readonly lost: number;
    };

/** Known to be somebody's real mail domain: never disposable by what a list from outside says. */
export const isLegitimate = (lists: Lists, domain: string): boolean =>
  LARGE_PROVIDERS.has(domain) ||
  lists.isKnown(domain) ||
  lists.isFreeProvider(domain) ||
  lists.isRelay(domain) ||
  lists.isAgent(domain);

const tooMany = (faults: number, of: number): boolean => faults * 100 > of * FAULTS_PER_HUNDRED;

/** Judges what a source says against the bundle and against what it said when it was last accepted (null: never). */
export function judgeSource(
  { domains, malformed }: SourceText,
  previous: ReadonlySet<string> | null,
  bundled: BundledLists,
): SourceVerdict {
  const refuse = (fault: SourceFault): SourceVerdict => ({ ok: false, fault });
  if (domains.length + malformed === 0) return refuse('empty');
  if (tooMany(malformed, domains.length + malformed)) return refuse('malformed');
  if (domains.length > BUNDLES_MAX * bundled.disposables) return refuse('too_many');
  if (domains.some((domain) => LARGE_PROVIDERS.has(domain))) return refuse('large_provider');
  const believed = domains.filter((domain) => !isLegitimate(bundled, domain));
  const legitimate = domains.length - believed.length;
  if (tooMany(legitimate, domains.length)) return refuse('legitimate_domains');
  const gained = previous === null ? believed.length : believed.filter((domain) => !previous.has(domain)).length;
  const lost = (previous?.size ?? 0) - (believed.length - gained);
  if (previous !== null && lost > previous.size * (1 - KEPT_SHARE_MIN)) return refuse('lost_too_many');
  if (previous !== null && gained > Math.max(GAINED_MAX, previous.size * GAINED_SHARE_MAX))
    return refuse('gained_too_many');
  return { ok: true, domains: believed, legitimate, gained, lost: previous === null ? 0 : lost };
}
