import type { Purpose } from '../../src/contract/vocabulary.ts';
import { NO_NEIGHBOURS, firstState } from '../../src/domain/verification/first-state.ts';
import { FEATURES, type Feature } from '../../src/domain/belief/facts.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { believe } from '../../src/domain/belief/posterior.ts';
import { type Facts, NO_FACTS } from '../../src/domain/belief/facts.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { circle, line, polyline, svg, text } from '../svg.ts';

const HOST: HostClass = 'google_business';
const PURPOSE: Purpose = 'outbound';

/** The bounce probability of an address at Google Workspace, outbound, by the seeded model. */
function bounceOf(seen: Partial<Facts>, features: readonly Feature[] = [], now = 0): number {
  const first = firstState(MODEL, {
    host: HOST,
    features,
    purpose: PURPOSE,
    acceptsAllOdds: 1,
    around: NO_NEIGHBOURS,
    own: null,
    isOwnList: false,
    now,
  });
  return believe({ model: MODEL, host: HOST, features, first, ...NOTHING_SEEN, ...seen, now }).probability;
}

const WORDS: Readonly<Record<Feature, string>> = {
  typo_domain: 'its domain is a slip of a well-known one',
  impossible: 'its provider never gave out such a local part',
  unusual: 'its provider hardly ever gave out such a local part',
  gibberish: 'letters drawn by chance',
  placeholder: 'a placeholder',
  parked_mail_hosts: 'mail hosts of parked domains',
  address_record_only: 'no mail host, only an address record',
  role: 'a role (info, sales)',
  digits: 'digits in it',
  name_match: 'fits the name sent along',
};

const report = (kind: Facts['reports'][number]['class']): Partial<Facts> => ({ reports: [{ class: kind, at: 0 }] });
const said = (verdict: Facts['answers'][number]['verdict'], ...providers: Facts['answers'][number]['provider'][]) => ({
  answers: providers.map((provider) => ({ provider, verdict, at: 0 })),
});

/** Each kind of evidence, with what an address is believed to be once it is there alone. */
export const WORTH: readonly (readonly [what: string, probability: number])[] = [
  ['your report: user unknown (5.1.1)', bounceOf(report('user_unknown'))],
  ['your report: refused for another reason', bounceOf(report('refused'))],
  ['your report: mailbox full', bounceOf(report('full'))],
  ['your report: transient failure', bounceOf(report('soft'))],
  ['your report: complaint', bounceOf(report('complaint'))],
  ['your report: delivered', bounceOf(report('delivered'))],
  ['event: confirmed (activated)', bounceOf({ proofs: [{ class: 'confirmed', at: 0 }] })],
  ['event: paid (subscribed)', bounceOf({ proofs: [{ class: 'paid', at: 0 }] })],
  ['two vendors refuse', bounceOf(said('undeliverable', 'kickbox', 'zerobounce'))],
  ['a vendor refuses', bounceOf(said('undeliverable', 'kickbox'))],
  ['a vendor says risky', bounceOf(said('risky', 'kickbox'))],
  ['a vendor says catch-all', bounceOf(said('catch_all', 'kickbox'))],
  ['a vendor says unknown', bounceOf(said('unknown', 'kickbox'))],
  ['a vendor says deliverable', bounceOf(said('deliverable', 'kickbox'))],
  ['two vendors say deliverable', bounceOf(said('deliverable', 'kickbox', 'zerobounce'))],
  ...FEATURES.map((feature) => [WORDS[feature], bounceOf({}, [feature])] as const),
];

const logit = (p: number): number => Math.log(p / (1 - p));
const TICKS = [0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999];
const END = logit(0.999);
/** 0 to 1 along an axis of log-odds. */
const scale = (p: number): number => Math.max(0, Math.min(1, (logit(p) / END + 1) / 2));

const LEFT = 280;
const WIDTH = 460;
const ROW = 22;
const TOP = 44;

/** How far each kind of evidence alone moves a stranger. */
export function worthChart(): string {
  const x = (p: number): number => LEFT + scale(p) * WIDTH;
  const bottom = TOP + WORTH.length * ROW;
  const stranger = bounceOf({});
  const rows = WORTH.flatMap(([what, p], at) => {
    const y = TOP + at * ROW + ROW / 2;
    const colour = p > stranger ? '#c1440e' : '#0b6e4f';
    return [
      text(LEFT - 10, y + 4, what, 'text-anchor="end"'),
      line(x(stranger), y, x(p), y, `stroke="${colour}" stroke-width="3"`),
      circle(x(p), y, 4, `fill="${colour}"`),
    ];
  });
  return svg(LEFT + WIDTH + 40, bottom + 40, [
    text(LEFT, 20, 'What one piece of evidence is worth', 'font-weight="bold" font-size="13"'),
    ...TICKS.flatMap((tick) => [
      line(x(tick), TOP, x(tick), bottom, 'stroke="#ddd"'),
      text(x(tick), bottom + 14, String(tick), 'text-anchor="middle"'),
    ]),
    line(x(stranger), TOP - 6, x(stranger), bottom, 'stroke="#333" stroke-dasharray="4 3"'),
    text(x(stranger), TOP - 10, 'a stranger', 'text-anchor="middle"'),
    ...rows,
    text(LEFT + WIDTH / 2, bottom + 32, 'bounce probability (at Google Workspace, outbound)', 'text-anchor="middle"'),
  ]);
}

/** Labels closer than this would lie upon each other. */
const LINE = 14;

const DAYS = 180;
const LIVES: readonly (readonly [what: string, colour: string, seen: Partial<Facts>])[] = [
  ['user unknown', '#7a0c0c', report('user_unknown')],
  ['a vendor refuses', '#c1440e', said('undeliverable', 'kickbox')],
  ['mailbox full', '#b8860b', report('full')],
  ['nothing', '#333333', {}],
  ['a vendor says deliverable', '#3a7ca5', said('deliverable', 'kickbox')],
  ['delivered', '#0b6e4f', report('delivered')],
];

/** The probability on each day after what was seen on day 0. */
const lifeOf = (seen: Partial<Facts>): number[] =>
  Array.from({ length: DAYS + 1 }, (_, day) => bounceOf(seen, [], day * DAY_MS));

/** How the number of one address moves over 180 days after one thing was seen of it. */
export function lifeChart(): string {
  const [left, top, width, height] = [60, 44, 520, 380];
  const x = (day: number): number => left + (day / DAYS) * width;
  const y = (p: number): number => top + height - scale(p) * height;
  const lives = LIVES.map(([what, colour, seen]) => ({ what, colour, life: lifeOf(seen) }));
  const ends = lives.map(({ what, colour, life }) => ({ what, colour, at: y(life.at(-1) ?? 0) }));
  const labels: typeof ends = [];
  for (const end of ends.toSorted((one, other) => one.at - other.at))
    labels.push({ ...end, at: Math.max(end.at, (labels.at(-1)?.at ?? 0) + LINE) });
  return svg(left + width + 190, top + height + 50, [
    text(left, 20, 'One address, 180 days', 'font-weight="bold" font-size="13"'),
    ...TICKS.flatMap((tick) => [
      line(left, y(tick), left + width, y(tick), 'stroke="#ddd"'),
      text(left - 6, y(tick) + 4, String(tick), 'text-anchor="end"'),
    ]),
    ...[0, 30, 60, 90, 120, 150, 180].flatMap((day) => [
      line(x(day), top, x(day), top + height, 'stroke="#ddd"'),
      text(x(day), top + height + 14, String(day), 'text-anchor="middle"'),
    ]),
    ...lives.map(({ colour, life }) =>
      polyline(
        life.map((p, day) => [x(day), y(p)] as const),
        `stroke="${colour}" stroke-width="2"`,
      ),
    ),
    ...labels.map(({ what, colour, at }) => text(left + width + 8, at + 4, what, `fill="${colour}"`)),
    text(left + width / 2, top + height + 34, 'days since (at Google Workspace, outbound)', 'text-anchor="middle"'),
  ]);
}
