import { pick, type Statement } from './form.ts';

/** The words Kickbox, Emailable and Bouncer share: verdict, reason, and the flags that say what `risky` is about. */
interface CommonWords {
  readonly verdict: 'deliverable' | 'undeliverable' | 'risky' | 'unknown';
  readonly reason: string;
  readonly disposable: boolean;
}

/** A working role address is `risky`, and so is any name of a domain that accepts everything, unless it was proved otherwise. */
export function commonWords({ verdict, acceptsAll, role, variant }: Statement): CommonWords {
  const disposable = verdict === 'risky';
  switch (verdict) {
    case 'deliverable':
      return role && !acceptsAll
        ? { verdict: 'risky', reason: 'low_quality', disposable }
        : { verdict, reason: 'accepted_email', disposable };
    case 'undeliverable':
      return { verdict, reason: pick(['rejected_email', 'invalid_smtp'], variant), disposable };
    case 'catch_all':
      return { verdict: 'risky', reason: 'low_deliverability', disposable };
    case 'risky':
      return { verdict, reason: 'low_quality', disposable };
    case 'unknown':
      return { verdict, reason: pick(['timeout', 'no_connect', 'unavailable_smtp'], variant), disposable };
  }
}
