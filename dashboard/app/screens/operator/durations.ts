const STEPS = [
  { unit: 's', seconds: 1, below: 120 },
  { unit: 'min', seconds: 60, below: 7_200 },
  { unit: 'h', seconds: 3_600, below: 172_800 },
  { unit: 'days', seconds: 86_400, below: Number.POSITIVE_INFINITY },
] as const;

/** `45 s`, `3 min`, `26 h`, `4 days`. */
export function durationText(seconds: number): string {
  const step = STEPS.find(({ below }) => seconds < below) ?? STEPS[0];
  return `${Math.round(seconds / step.seconds)} ${step.unit}`;
}
