import type { Esp, MxProvider } from '../../contract/vocabulary.ts';
import { packedRows } from '../../kernel/encoding.ts';

/** The first line of the packed rows names their form. */
export const PATTERNS_FORM = 'mail host patterns 2';
/** Stands in for a label or an esp that a row lacks. */
export const NONE = '-';
/** In one cell: a gateway has no mailboxes of its own. */
export const GATEWAY = 'gateway';
export const OWN = 'own';

/** What a row of `patterns.json` says about the hosts at or below its suffix. */
export interface Pattern {
  /** Who runs the hosts; finer than the public label, for the belief model. */
  readonly family: string;
  /** A public label; null where none fits. */
  readonly label: MxProvider | null;
  /** What the hosts alone show: a business suite, or hosts that serve only consumer domains. */
  readonly esp: Esp | null;
  /** A security gateway: it hides who runs the mailboxes. */
  readonly gateway: boolean;
  /** The hosts take mail for the provider's own domains alone, so a domain with them is one of these. */
  readonly own: boolean;
}

/** The cast is safe because the builder checks the values. */
const valueOf = <T extends string>(cell: string): T | null => (cell === NONE ? null : (cell as T));

/**
 * The row of a host, the one with the longest suffix; a suffix ends at a dot of the host, so `xmimecast.com` is not
 * Mimecast's. `data`: the packed rows, a line a pattern, `family label esp kind suffixes…` between blanks.
 */
export function openPatterns(data: ArrayBuffer | Uint8Array): (host: string) => Pattern | undefined {
  const bySuffix = new Map<string, Pattern>();
  for (const row of packedRows(data, PATTERNS_FORM)) {
    const [family = '', label = NONE, esp = NONE, kind = NONE, ...suffixes] = row.split(' ');
    const pattern: Pattern = {
      family,
      label: valueOf(label),
      esp: valueOf(esp),
      gateway: kind === GATEWAY,
      own: kind === OWN,
    };
    for (const suffix of suffixes) bySuffix.set(suffix, pattern);
  }
  return (host) => {
    for (let name = host; name !== ''; name = name.slice(name.indexOf('.') + 1)) {
      const pattern = bySuffix.get(name);
      if (pattern !== undefined || !name.includes('.')) return pattern;
    }
    return undefined;
  };
}
