import { parseAddress } from '../../address/parse.ts';

/** A domain of a file, and how many different addresses it has there. */
export interface DomainShare {
  readonly domain: string;
  readonly addresses: number;
}

/** A domain with fewer addresses may be one person's: its name is kept nowhere but in the file. */
const SHOWN_FROM = 5;
const SHOWN_MAX = 20;

const UTF8 = new TextDecoder();

/** Finds the largest domains of a file while its addresses are numbered. */
export class LargestDomains {
  private readonly sizes: Uint32Array;
  /** Of those that may be shown, by their number. */
  private readonly names = new Map<number, string>();

  /** @param domains how many there will be at most */
  constructor(domains: number) {
    this.sizes = new Uint32Array(domains);
  }

  /** Counts an address of the domain with this number, whose name stands in `bytes`. */
  count(domain: number, bytes: Uint8Array, from: number, to: number): void {
    const size = (this.sizes[domain] ?? 0) + 1;
    this.sizes[domain] = size;
    if (size === SHOWN_FROM) this.names.set(domain, UTF8.decode(bytes.subarray(from, to)));
  }

  /** The largest first. What stands behind an `@` without being a domain is left out. */
  list(): DomainShare[] {
    return [...this.names]
      .filter(([, domain]) => isDomain(domain))
      .map(([number, domain]) => ({ domain, addresses: this.sizes[number] ?? 0 }))
      .sort((one, other) => other.addresses - one.addresses || (one.domain < other.domain ? -1 : 1))
      .slice(0, SHOWN_MAX);
  }
}

function isDomain(text: string): boolean {
  const parsed = parseAddress(`a@${text}`);
  return parsed.ok && parsed.address.domain === text;
}
