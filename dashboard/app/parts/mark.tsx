import { label } from '../lib/vocabulary.ts';
import { Icon, type IconName } from './icons.tsx';

export type Tone = 'good' | 'fair' | 'wait' | 'poor' | 'bad' | 'none';

/** A term's tone. Colour never carries meaning alone: the word is beside it. */
const TONES: Readonly<Record<string, Tone>> = {
  allow: 'good',
  send: 'good',
  valid: 'good',
  deliverable: 'good',
  done: 'good',
  delivered: 'good',
  allow_with_flow: 'fair',
  likely_valid: 'fair',
  running: 'fair',
  queued: 'fair',
  review: 'wait',
  hold: 'wait',
  risky: 'wait',
  catch_all: 'wait',
  ready: 'wait',
  uploading: 'wait',
  paused_quota: 'wait',
  soft_bounce: 'wait',
  challenge: 'poor',
  likely_invalid: 'poor',
  deny: 'bad',
  drop: 'bad',
  invalid: 'bad',
  undeliverable: 'bad',
  failed: 'bad',
  hard_bounce: 'bad',
  complaint: 'bad',
};

const ICONS: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  fair: 'check',
  wait: 'pause',
  poor: 'question',
  bad: 'cross',
  none: 'question',
};

/** States of work in progress have icons of their own. */
const OWN_ICONS: Readonly<Record<string, IconName>> = {
  ready: 'play',
  running: 'turning',
  queued: 'clock',
  uploading: 'upload',
};

export const toneOf = (term: string): Tone => TONES[term] ?? 'none';
export const colourOf = (term: string): string => `var(--mark-${toneOf(term)})`;

/** A decision, recommendation, verdict or state. Plain elements, as long tables have one in each row. */
export const Mark = ({ term, size = 'sm' }: { readonly term: string; readonly size?: 'xs' | 'sm' | 'md' }) => (
  <span className="mark" data-size={size} data-tone={toneOf(term)}>
    <Icon name={OWN_ICONS[term] ?? ICONS[toneOf(term)]} size={15} />
    <span>{label(term)}</span>
  </span>
);

/** A term's colour in a legend. */
export const Swatch = ({ tone }: { readonly tone: Tone | 'series' }) => (
  <span className="fill swatch" data-tone={tone} aria-hidden="true" />
);
