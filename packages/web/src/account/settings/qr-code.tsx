import { useMemo } from 'preact/hooks';
import { encode } from 'uqr';

interface QrProps {
  readonly text: string;
  readonly label: string;
}

/** A QR code, dark on light in both themes: not all scanners read the reverse. */
export function QrCode({ text, label }: QrProps) {
  const { path, size } = useMemo(() => drawn(text), [text]);
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}

/** One square for each dark module. */
function drawn(text: string): { readonly path: string; readonly size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 3 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { path: squares.join(''), size };
}
