import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';

interface DayChoiceProps {
  /** Where each begins, epoch seconds, and what it holds. */
  readonly days: readonly { readonly day: number; readonly text: string }[];
  /** Where the first one begins, and how wide each is, pixels. */
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly chosen: { readonly from: number; readonly to: number } | null;
  readonly onChoose: (first: number, last: number) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * A button over each day of a chart: one press chooses the day; a drag, or Shift with a press, all days from the one before. One of
 * them is a stop of Tab, and arrows lead to the others.
 */
export function DayChoice({ days, left, width, height, chosen, onChoose }: DayChoiceProps) {
  const [current, setCurrent] = useState(days.length - 1);
  const from = useRef<number | null>(null);
  /** Where a range begins: the day that was chosen last without Shift. */
  const anchor = useRef<number | null>(null);
  const choose = (first: number, last: number) => {
    const [one, other] = [days[Math.min(first, last)], days[Math.max(first, last)]];
    if (one !== undefined && other !== undefined) onChoose(one.day, other.day);
    setCurrent(last);
  };
  /** The pointer is captured where it began, so that a drag may end elsewhere. */
  const press = (at: number, { currentTarget, pointerId }: PointerEvent<HTMLButtonElement>) => {
    from.current = at;
    if (currentTarget.hasPointerCapture(pointerId)) currentTarget.releasePointerCapture(pointerId);
  };
  const key = (at: number, event: KeyboardEvent<HTMLButtonElement>) => {
    const next = at + (STEPS[event.key] ?? 0);
    if (next === at || days[next] === undefined) return;
    event.preventDefault();
    setCurrent(next);
    const { parentElement } = event.currentTarget;
    (parentElement?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div role="group" aria-label="Choose days" className="day-choice" style={{ left, height }}>
      {days.map(({ day, text }, at) => (
        <button
          key={day}
          type="button"
          title={text}
          aria-label={text}
          aria-pressed={chosen !== null && day >= chosen.from && day < chosen.to}
          tabIndex={at === current ? 0 : -1}
          style={{ width }}
          onPointerDown={(event) => press(at, event)}
          onPointerUp={() => {
            // A press on one day is a click.
            if (from.current !== null && from.current !== at) choose(from.current, at);
            from.current = null;
          }}
          onClick={({ shiftKey }) => {
            if (!shiftKey) anchor.current = at;
            choose(anchor.current ?? at, at);
          }}
          onKeyDown={(event) => key(at, event)}
        />
      ))}
    </div>
  );
}
