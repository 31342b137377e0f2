import { encodeQR } from 'qr';

/** Dark on light in both themes, with the margin that cameras expect. */
export default function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const picture = encodeQR(text, 'svg', { border: 4 });
  return (
    <img
      src={`data:image/svg+xml,${encodeURIComponent(picture)}`}
      width={200}
      height={200}
      alt={label}
      style={{ background: '#fff', borderRadius: 8 }}
    />
  );
}
