import { type Tone, toneOf } from '../parts/mark.tsx';

/** How a tone is drawn beside its colour, so that neighbours differ without it: the lines of an 8 by 8 tile. */
const LINES: Readonly<Partial<Record<Tone, string>>> = {
  fair: 'M0 8 8 0M-2 2 2-2M6 10 10 6',
  wait: 'M0 2h8M0 6h8',
  poor: 'M2 2h.01M6 6h.01',
  bad: 'M0 0 8 8M8 0 0 8',
};

/** The fills of every chart, once a page. Not hidden by style: a pattern would be hidden with it. */
export const ToneFills = () => (
  <svg width={0} height={0} aria-hidden="true" style={{ position: 'absolute' }}>
    <defs>
      {Object.entries(LINES).map(([tone, lines]) => (
        <pattern key={tone} id={`tone-${tone}`} width={8} height={8} patternUnits="userSpaceOnUse">
          <rect width={8} height={8} fill={`var(--mark-${tone})`} />
          <path d={lines} stroke="var(--surface)" strokeWidth={tone === 'poor' ? 2.5 : 1.3} strokeLinecap="round" />
        </pattern>
      ))}
    </defs>
  </svg>
);

/** The fill of a term's tone: its colour, and its pattern. */
export function fillOf(term: string): string {
  const tone = toneOf(term);
  return tone in LINES ? `url(#tone-${tone})` : `var(--mark-${tone})`;
}

interface SwatchProps {
  readonly term: string;
  /** In place of the tone's. */
  readonly fill?: string;
  /** How opaque, from 0 to 1. */
  readonly strength?: number;
}

/** A term in a legend. The word stands beside it. */
export const Swatch = ({ term, fill = fillOf(term), strength = 1 }: SwatchProps) => (
  <svg width={14} height={14} aria-hidden="true" style={{ flexShrink: 0 }}>
    <rect width={14} height={14} rx={3} fill={fill} fillOpacity={strength} />
  </svg>
);
