import QuickLRU from 'quick-lru';
import { compilePolicy } from '../domain/policy/compile.ts';
import { compiled, type DecidingPolicy } from '../domain/policy/decision.ts';
import { DEFAULT_POLICY, DEFAULT_SLUG, type PolicyVersion } from '../domain/policy/document.ts';

/** Used if the account's policy is unavailable. Accounts' versions start at 1. */
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

const POLICIES_MAX = 1_000;

/**
 * Compiled policies by name, least recently used first to go. `sizeMax`: characters of all documents; compiled they
 * take about four times as much memory.
 */
export class PolicyMemory {
  private readonly sizeMax: number;
  private size = 0;
  private readonly kept = new QuickLRU<string, Kept>({
    maxSize: POLICIES_MAX,
    onEviction: (_, { size }) => {
      this.size -= size;
    },
  });

  constructor(sizeMax: number) {
    this.sizeMax = sizeMax;
  }

  get(name: string): DecidingPolicy | null {
    return this.kept.get(name)?.policy ?? null;
  }

  put(name: string, version: Omit<PolicyVersion, 'createdBy'>): DecidingPolicy {
    const policy = compiled(version);
    const size = version.document.length;
    const before = this.kept.peek(name);
    this.kept.delete(name);
    this.kept.set(name, { policy, size });
    this.size += size - (before?.size ?? 0);
    while (this.size > this.sizeMax && this.kept.size > 1) this.kept.evict();
    return policy;
  }
}
