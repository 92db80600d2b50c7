import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';

/** Empty modules around the code (ISO/IEC 18004, section 9.1). */
const QUIET = 4;

/** Draws a QR code. It is black on white in dark mode too, because not every app reads inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text);
  const side = code.size + 2 * QUIET;
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shape-rendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={toSvgPath(code)} fill="#000" />
    </svg>
  );
}
