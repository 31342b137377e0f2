const HEIGHT = 22;
const BAR = 3;

/** Daily counts, oldest first. The cell's text has the total. */
export function Sparkbars({ counts }: { readonly counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  return (
    <svg width={counts.length * BAR} height={HEIGHT} aria-hidden="true" style={{ flexShrink: 0 }}>
      <line x1={0} x2={counts.length * BAR} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} stroke="var(--line)" />
      {counts.map((count, at) => {
        const height = count === 0 ? 0 : Math.max(2, (count / most) * (HEIGHT - 2));
        return (
          <rect key={at} x={at * BAR} y={HEIGHT - 1 - height} width={BAR - 1} height={height} fill="var(--series)" />
        );
      })}
    </svg>
  );
}
