/**
 * One word for an answer with the healthy status. `same`: its relevant fields are as without the fault. The other words are
 * those of ../../docs for an answer that had to do without a dependency.
 */
export type Word =
  | 'same'
  | 'degraded'
  | 'unresolved'
  | 'no company'
  | 'limited'
  | 'local'
  | 'partly refused'
  | 'all refused'
  | 'not everywhere'
  | 'partly unread';

interface Judged {
  readonly degraded?: boolean;
  readonly verdict?: string;
  readonly calibration?: string;
  readonly recommendation?: string;
  readonly reasons?: readonly string[];
  readonly signals?: { readonly mx: boolean | null };
}
interface Checked {
  readonly passes?: boolean;
  readonly checks?: { readonly mx: string };
}
interface Screened {
  readonly domain?: { readonly mx: string };
  readonly screening?: {
    readonly degraded?: boolean;
    readonly fake_name?: string;
    readonly domain_check?: string;
  };
}
interface Decided {
  readonly verification?: Judged;
  readonly company?: object | null;
  readonly rule_id?: string;
  readonly enrichment?: { readonly degraded: boolean; readonly limited_by?: readonly string[] };
}
interface Accepted {
  readonly accepted?: boolean;
  readonly lists?: { readonly sources?: readonly { readonly refused?: string }[] };
}

interface Forgotten {
  readonly pending?: readonly string[];
  readonly incomplete?: readonly string[];
}
interface Status {
  readonly unread?: readonly string[];
}

/**
 * `matters`: the part of the body that is compared with the healthy one. `word`: the judgement of a different body; null if
 * the body doesn't explain the difference.
 */
interface Reading {
  readonly matters: (body: object) => unknown;
  readonly word: (body: object) => Word | null;
}

const picked = (body: object, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, (body as Record<string, unknown>)[name] ?? null]));

const ofVerification = (body: Judged): object =>
  picked(body, ['degraded', 'calibration', 'recommendation', 'reasons', 'email_type', 'signals', 'actor_class']);

function wordOfVerification({ degraded, verdict, calibration, recommendation, reasons, signals }: Judged): Word | null {
  // interface.md: every provider that was called failed, so the answer is the prior alone.
  if (degraded === true) return verdict === 'unknown' && calibration === 'prior' ? 'degraded' : null;
  // A failed look-up never makes an address worse than its prior.
  if (reasons?.includes('mx_unresolved') === true)
    return signals?.mx === null && recommendation !== 'drop' ? 'unresolved' : null;
  return null;
}

const VERIFICATION: Reading = { matters: ofVerification, word: wordOfVerification };
const CHECK: Reading = {
  matters: (body) => picked(body, ['passes', 'checks', 'reasons', 'email_type', 'esp', 'mx_provider', 'disposable']),
  word: ({ passes, checks }: Checked) => (passes === false && checks?.mx === 'unknown' ? 'unresolved' : null),
};
const SCREENING: Reading = {
  matters: ({ domain, screening = {} }: Screened) => [domain, screening],
  word({ domain, screening = {} }: Screened) {
    const unasked = screening.fake_name === 'not_checked' || screening.domain_check === 'not_checked';
    if (screening.degraded === true) return unasked ? 'degraded' : null;
    if (domain?.mx === 'unknown') return 'unresolved';
    return unasked ? 'local' : null;
  },
};
const DECISION: Reading = {
  matters: (body: Decided) =>
    Object.assign(picked(body, ['decision', 'rule_id', 'enrichment']), ofVerification(body.verification ?? {})),
  word({ verification = {}, company, rule_id: rule, enrichment }: Decided) {
    const word = wordOfVerification(verification);
    if (word !== null) return word;
    // A failure leaves the values missing and `enrichment.degraded` true; a missing value matches no rule.
    const isMissing = company === null && rule === 'default';
    if (isMissing && enrichment?.degraded === true) return 'no company';
    return isMissing && enrichment?.limited_by?.includes('latency_ceiling') === true ? 'limited' : null;
  },
};
const SOURCES: Reading = {
  matters: (body: Accepted) => [body.accepted, body.lists?.sources?.filter(({ refused }) => refused).length],
  word({ accepted, lists: { sources = [] } = {} }: Accepted) {
    const refused = sources.filter(({ refused: why }) => why !== undefined).length;
    if (refused === sources.length) return accepted === false ? 'all refused' : null;
    return accepted === true && refused > 0 ? 'partly refused' : null;
  },
};

const FORGOTTEN: Reading = {
  matters: ({ pending, incomplete }: Forgotten) => [pending, incomplete],
  word: ({ pending = [], incomplete = [] }: Forgotten) =>
    pending.length + incomplete.length > 0 ? 'not everywhere' : null,
};
const STATUS: Reading = {
  matters: ({ unread }: Status) => unread,
  word: ({ unread = [] }: Status) => (unread.length > 0 ? 'partly unread' : null),
};

const READINGS: Readonly<Record<string, Reading>> = {
  verify: VERIFICATION,
  check: CHECK,
  screen: SCREENING,
  decide: DECISION,
  acceptSource: SOURCES,
  forget: FORGOTTEN,
  status: STATUS,
};

/** Counted by words of ours: which of them are there depends on how far a job is. */
const COUNTED = new Set(['counts', 'providers_not_asked', 'breakdown']);

/** The kind of a text, of which ids, times and numbers say nothing: each way to it, with its type. Null fits any type. */
function* waysOf(value: unknown, way = ''): Generator<string> {
  if (value === null || value === undefined) return yield `${way}?`;
  if (typeof value !== 'object') return yield `${way}:${typeof value}`;
  if (Array.isArray(value)) {
    for (const each of value as unknown[]) yield* waysOf(each, `${way}[]`);
    return;
  }
  for (const [name, each] of Object.entries(value)) yield* waysOf(COUNTED.has(name) ? null : each, `${way}.${name}`);
}

/** The fields common to all healthy answers of a route, and the fields of any of them. */
class Shape {
  private readonly common: Set<string>;
  private readonly all: Set<string>;

  constructor(first: object) {
    this.common = new Set(waysOf(first));
    this.all = new Set(this.common);
  }

  learn(body: object): void {
    const ways = new Set(waysOf(body));
    for (const way of this.common) if (!has(ways, way)) this.common.delete(way);
    for (const way of ways) this.all.add(way);
  }

  differenceOf(body: object): string | null {
    const ways = new Set(waysOf(body));
    const missing = [...this.common].filter((way) => !has(ways, way));
    const other = [...ways].filter((way) => !way.endsWith('?') && !has(this.all, way));
    if (missing.length + other.length === 0) return null;
    return `without ${missing.slice(0, 3).join(', ') || 'nothing'}, with ${other.slice(0, 3).join(', ') || 'nothing'} of its own`;
  }
}

/** Whether one of the ways is this one, null on the way of either. */
function has(ways: ReadonlySet<string>, way: string): boolean {
  if (ways.has(way)) return true;
  const steps = way.replace(/[:?].*$/, '').split(/(?=\.|\[\])/);
  if (way.endsWith('?')) return [...ways].some((each) => each.startsWith(way.slice(0, -1)));
  return steps.some((_, at) => ways.has(`${steps.slice(0, at + 1).join('')}?`));
}

/** An answer with a fault, whose shape is judged when all healthy ones are known. */
interface Unjudged {
  readonly route: string;
  readonly body: object;
  readonly told: string;
}

/** Compares answers with those of the same route without a fault. */
export class Bodies {
  private readonly matters = new Map<string, string>();
  private readonly shapes = new Map<string, Shape>();
  private readonly unjudged: Unjudged[] = [];

  /** Records an answer without a fault. Returns its differences from earlier ones. */
  learn(route: string, body: object): string | null {
    const shape = this.shapes.get(route);
    if (shape === undefined) this.shapes.set(route, new Shape(body));
    else shape.learn(body);
    const reading = READINGS[readAs(route)];
    if (reading === undefined) return null;
    const known = this.matters.get(route);
    const now = JSON.stringify(reading.matters(body));
    if (known === undefined) this.matters.set(route, now);
    return known === undefined || known === now ? null : `${now}, not ${known}`;
  }

  /** `unknown`: the answer differs from the healthy one without an explanation. `told`: the name for a later judgement. */
  wordOf(route: string, body: object, told: string): Word | 'unknown' {
    const reading = READINGS[readAs(route)];
    if (reading === undefined) {
      this.unjudged.push({ route, body, told });
      return 'same';
    }
    if (JSON.stringify(reading.matters(body)) === this.matters.get(route)) return 'same';
    return reading.word(body) ?? 'unknown';
  }

  /** The answers with a shape that no healthy one had. */
  differences(): string[] {
    return this.unjudged.flatMap(({ route, body, told }) => {
      const difference = this.shapes.get(route)?.differenceOf(body) ?? null;
      return difference === null ? [] : [`another answer, ${difference}: ${told}`];
    });
  }
}

/** A tool answers as its route does. */
const readAs = (entry: string): string => entry.replace(/^tool \w+: /, '');
