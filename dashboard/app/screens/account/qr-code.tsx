import { encodeQR } from 'qr';

/** Dark on light in both themes: cameras expect it so, with four modules of margin. */
const MARGIN = 4;

/** A QR code of a text. */
export default function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const rows = encodeQR(text, 'raw', { border: MARGIN });
  const dots = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg viewBox={`0 0 ${rows.length} ${rows.length}`} width={200} height={200} role="img" aria-label={label}>
      <rect width="100%" height="100%" rx={2} fill="#fff" />
      <path d={dots.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
