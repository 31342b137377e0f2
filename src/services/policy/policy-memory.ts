import QuickLRU from 'quick-lru';
import { compilePolicy } from '../../domain/policy/compile.ts';
import { compiled, type DecidingPolicy } from '../../domain/policy/decision.ts';
import { DEFAULT_POLICY, DEFAULT_SLUG, type PolicyVersion } from '../../domain/policy/document.ts';

const POLICIES_MAX = 1_000;
/** Characters of all documents. Compiled they take about four times as much, of the 128 MB an isolate has. */
const SIZE_MAX = 8 * 2 ** 20;

/** Stands in where the account's policy can't be had. Versions of accounts begin with 1. */
export const BUILT_IN: DecidingPolicy = {
  slug: DEFAULT_SLUG,
  version: 0,
  createdAt: 0,
  policy: compilePolicy(DEFAULT_POLICY),
};

interface Kept {
  readonly policy: DecidingPolicy;
  readonly size: number;
}

/**
 * The last version in force of each policy that this isolate was told, compiled. It decides while the account is out of reach. The
 * least used go first.
 */
export class PolicyMemory {
  private size = 0;
  private readonly kept = new QuickLRU<string, Kept>({
    maxSize: POLICIES_MAX,
    onEviction: (_, { size }) => {
      this.size -= size;
    },
  });

  get(organisationId: string, slug: string): DecidingPolicy | undefined {
    return this.kept.get(`${organisationId} ${slug}`)?.policy;
  }

  put(organisationId: string, version: Omit<PolicyVersion, 'createdBy'>): DecidingPolicy {
    const policy = compiled(version);
    const size = version.document.length;
    const key = `${organisationId} ${policy.slug}`;
    const before = this.kept.peek(key);
    this.kept.delete(key);
    this.kept.set(key, { policy, size });
    this.size += size - (before?.size ?? 0);
    while (this.size > SIZE_MAX && this.kept.size > 1) this.kept.evict();
    return policy;
  }
}
