import type { MailHosts } from '../../domain/dns/resolve.ts';

/** A list has some domains whose own name servers are broken. More of a chunk than this, and the resolver is what fails. */
const BROKEN_SHARE_MAX = 0.25;
const BROKEN_MAX = 2;

/** Whether the resolver works, told from the domains of a chunk. */
export class ResolverWatch {
  private readonly asked = new Set<string>();
  private readonly failed = new Set<string>();

  note(domain: string, { kind }: Pick<MailHosts, 'kind'>): void {
    this.asked.add(domain);
    if (kind === 'unresolved') this.failed.add(domain);
    else this.failed.delete(domain);
  }

  /** Some look-up has failed, and has not been made good. */
  get hasFailed(): boolean {
    return this.failed.size > 0;
  }

  /** So many domains have failed that it can't be up to them. */
  get isAway(): boolean {
    return this.failed.size > Math.max(BROKEN_MAX, this.asked.size * BROKEN_SHARE_MAX);
  }
}
