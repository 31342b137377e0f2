import { Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { formatEstimate, formatInterval } from '../lib/format.ts';
import { apartFrom, type Thresholds } from '../lib/thresholds.ts';
import { label, word } from '../lib/vocabulary.ts';
import { colourOf, Swatch, toneOf } from '../parts/mark.tsx';
import { Figure } from './figure.tsx';

const WIDTH_MIN = 240;
const HEIGHT = 84;
const PAD = 8;
/** Width of a letter of a zone's name, and the margin beside it, pixels. */
const ZONE = { letter: 6, beside: 8 };
/** Half the width of the widest number, pixels. */
const LABEL = 36;
const BAR = { top: 40, height: 14 };
const TICKS = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1];

function zoneText(from: number, to: number, write: (at: number) => string): string {
  if (from === 0) return to === 1 ? 'any risk' : `up to ${write(to)}`;
  return to === 1 ? `above ${write(from)}` : `${write(from)} to ${write(to)}`;
}

interface NumberScaleProps {
  readonly probability: number;
  readonly interval: readonly number[] | null;
  /** Null if unknown. */
  readonly thresholds: Thresholds | null;
  /** The recommendation between send and drop. */
  readonly between: 'challenge' | 'hold';
}

/** A bounce probability with its 90% interval and the recommendation's zones. */
export function NumberScale({ probability, interval, thresholds, between }: NumberScaleProps) {
  const { ref, width: measured } = useElementSize();
  const width = Math.max(WIDTH_MIN, measured);
  /** Square-root scale: low numbers matter most. */
  const place = (at: number): number => PAD + Math.sqrt(Math.min(1, Math.max(0, at))) * (width - 2 * PAD);
  const ticks = width < 420 ? TICKS.filter((tick) => tick !== 0.01 && tick !== 0.05 && tick !== 0.75) : TICKS;
  const [low = 0, high = 1] = interval ?? [];
  const write = thresholds === null ? formatEstimate : apartFrom(probability, thresholds);
  const zones =
    thresholds === null
      ? []
      : [
          { term: 'send', from: 0, to: thresholds.send },
          { term: between, from: thresholds.send, to: thresholds.drop },
          { term: 'drop', from: thresholds.drop, to: 1 },
        ]
          .filter(({ from, to }) => to > from)
          .map((zone) => {
            const room = place(zone.to) - place(zone.from);
            return { ...zone, isNamed: room > word(zone.term).length * ZONE.letter + ZONE.beside };
          });
  /** Narrow zones are named below the scale. */
  const below = zones.filter(({ isNamed }) => !isNamed);
  const said = [
    `Bounce risk ${write(probability)}`,
    interval === null ? null : `90% interval ${formatInterval(interval)}`,
    ...zones.map(({ term, from, to }) => `${word(term)} ${zoneText(from, to, write)}`),
  ].filter((part) => part !== null);
  return (
    <Figure
      caption={`Chance of a hard bounce${interval === null ? '' : ` (90% interval ${formatInterval(interval)})`}, with zones from your costs of mistakes.`}
      head={['', 'Bounce risk']}
      rows={[
        ['Bounce risk', write(probability)],
        ...(interval === null ? [] : [['90% interval', formatInterval(interval)]]),
        ...zones.map(({ term, from, to }) => [label(term), zoneText(from, to, write)]),
      ]}
    >
      <div ref={ref}>
        <svg width={width} height={HEIGHT} role="img" aria-label={said.join('; ')}>
          <rect x={PAD} y={BAR.top} width={width - 2 * PAD} height={BAR.height} rx={4} fill="var(--line)" />
          {zones.map(({ term, from, to, isNamed }) => (
            <g key={term}>
              <rect
                x={place(from) + 1}
                y={BAR.top}
                width={Math.max(0, place(to) - place(from) - 2)}
                height={BAR.height}
                rx={3}
                fill={colourOf(term)}
                opacity={0.28}
              />
              {isNamed && (
                <text
                  x={(place(from) + place(to)) / 2}
                  y={BAR.top + 11}
                  fontSize="11"
                  textAnchor="middle"
                  fill="var(--mantine-color-text)"
                >
                  {word(term)}
                </text>
              )}
            </g>
          ))}
          {interval !== null && (
            <rect
              x={place(low)}
              y={BAR.top - 12}
              width={Math.max(2, place(high) - place(low))}
              height={6}
              rx={3}
              fill="var(--series)"
              opacity={0.55}
            />
          )}
          <line
            x1={place(probability)}
            x2={place(probability)}
            y1={BAR.top - 18}
            y2={BAR.top + BAR.height + 4}
            stroke="var(--series)"
            strokeWidth={3}
            strokeLinecap="round"
          />
          <text
            x={Math.min(width - LABEL, Math.max(LABEL, place(probability)))}
            y={16}
            fontSize="15"
            fontWeight="600"
            textAnchor="middle"
            fill="var(--mantine-color-text)"
          >
            {write(probability)}
          </text>
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                x1={place(tick)}
                x2={place(tick)}
                y1={BAR.top + BAR.height}
                y2={BAR.top + BAR.height + 4}
                stroke="var(--mantine-color-dimmed)"
              />
              <text
                x={place(tick)}
                y={HEIGHT - 8}
                fontSize="11"
                textAnchor={tick === 0 ? 'start' : tick === 1 ? 'end' : 'middle'}
                fill="var(--mantine-color-dimmed)"
              >
                {`${tick * 100}%`}
              </text>
            </g>
          ))}
        </svg>
        {below.map(({ term, from, to }) => (
          <Group key={term} gap={6} wrap="nowrap">
            <Swatch tone={toneOf(term)} />
            <Text size="xs">
              {label(term)}: {zoneText(from, to, write)}
            </Text>
          </Group>
        ))}
      </div>
    </Figure>
  );
}
