import { StackError } from './stack-error.ts';

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const WEEKDAYS = 'SUN MON TUE WED THU FRI SAT'.split(' ');

interface Field {
  readonly least: number;
  readonly most: number;
  /** Names for the numbers from `least` on. */
  readonly names?: readonly string[];
  readonly read: (time: Date) => number;
}

/** In the order of the expression. Cloudflare counts weekdays from 1 = Sunday; times are UTC. */
const FIELDS: readonly Field[] = [
  { least: 0, most: 59, read: (time) => time.getUTCMinutes() },
  { least: 0, most: 23, read: (time) => time.getUTCHours() },
  { least: 1, most: 31, read: (time) => time.getUTCDate() },
  { least: 1, most: 12, names: MONTHS, read: (time) => time.getUTCMonth() + 1 },
  { least: 1, most: 7, names: WEEKDAYS, read: (time) => time.getUTCDay() + 1 },
];
const DAY_OF_MONTH = 2;
const WEEKDAY = 4;

/** `*`, `7`, `MON`, `1-5`, or one of these with a step: `*` + `/15`, `10-50/20`. */
const PART = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/;

function parseField(text: string, { least, most, names = [] }: Field): ReadonlySet<number> {
  const number = (word: string): number => {
    const named = names.indexOf(word.toUpperCase());
    return named >= 0 ? named + least : Number(word);
  };
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [, first, last, step] = PART.exec(part) ?? [part, 'none'];
    const from = first === undefined ? least : number(first);
    const to = last !== undefined ? number(last) : first === undefined || step !== undefined ? most : from;
    const by = Number(step ?? 1);
    if (!(from >= least && to <= most && from <= to && by >= 1)) throw new RangeError(part);
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return values;
}

/** Whether a minute is one of a cron expression's. */
export type CronSchedule = (time: Date) => boolean;

/**
 * A cron expression of `wrangler.toml`: five fields, in Cloudflare's form without its letters L, W and #. As everywhere,
 * with both a day of the month and a weekday named, either is enough.
 */
export function parseCron(expression: string): CronSchedule {
  const texts = expression.trim().split(/\s+/);
  let fields: ReadonlySet<number>[];
  try {
    if (texts.length !== FIELDS.length) throw new RangeError(expression);
    fields = FIELDS.map((field, i) => parseField(texts[i] ?? '', field));
  } catch {
    throw new StackError(`The cron "${expression}" in wrangler.toml is not one the local stack can read.`);
  }
  const eitherDay = !texts[DAY_OF_MONTH]?.startsWith('*') && !texts[WEEKDAY]?.startsWith('*');
  return (time) => {
    const fits = FIELDS.map((field, i) => fields[i]?.has(field.read(time)) ?? false);
    const [minute, hour, dayOfMonth, month, weekday] = fits;
    const day = eitherDay ? dayOfMonth || weekday : dayOfMonth && weekday;
    return Boolean(minute && hour && month && day);
  };
}

const MINUTE_MS = 60_000;

/** Fires the Worker's crons at their minutes, UTC: workerd by itself never does. Returns what stops it. */
export function startCron(baseUrl: string, expressions: readonly string[]): () => void {
  const crons = expressions.map((expression) => ({ expression, isDue: parseCron(expression) }));
  let timer: NodeJS.Timeout;

  async function fire(expression: string): Promise<void> {
    try {
      const response = await fetch(`${baseUrl}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(expression)}`);
      if (!response.ok) console.error(`cron ${expression}: ${await response.text()}`);
    } catch {
      console.error(`cron ${expression}: the Worker did not answer`);
    }
  }

  function waitForNextMinute(): void {
    const nextMs = (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;
    timer = setTimeout(() => {
      // A timer may fire a moment early; the minute it was set for is meant.
      for (const { expression, isDue } of crons) if (isDue(new Date(nextMs))) void fire(expression);
      waitForNextMinute();
    }, nextMs - Date.now());
  }

  waitForNextMinute();
  return () => clearTimeout(timer);
}
