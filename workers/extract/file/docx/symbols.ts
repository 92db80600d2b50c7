/** Symbols of the Wingdings and Symbol fonts that carry meaning in a text. */
const symbols: Readonly<Record<string, string>> = {
  f0fe: '☑',
  f0fd: '☒',
  f078: '☒',
  f0a8: '☐',
  f06f: '☐',
  f071: '☐',
  f0fc: '✓',
  f0fb: '✗',
  f0e0: '→',
  f0df: '←',
  f0ae: '→',
  f0de: '⇒',
  f0b0: '°',
  f0b1: '±',
  f0b4: '×',
  f0b7: '•',
  f0a3: '≤',
  f0b3: '≥',
  f0b9: '≠',
  f061: 'α',
  f062: 'β',
  f067: 'γ',
  f064: 'δ',
  f06c: 'λ',
  f06d: 'μ',
  f070: 'π',
  f073: 'σ',
  f057: 'Ω',
  f0d2: '®',
  f0d3: '©',
  f0d4: '™',
};

/** Text of a `w:sym`: the character itself, what its symbol font shows, or nothing. */
export function symbolText(hex: string): string {
  const key = hex.toLowerCase().padStart(4, '0');
  const code = Number.parseInt(key, 16);
  if (Number.isNaN(code)) return '';
  if (code >= 0xe000 && code <= 0xf8ff) return symbols[key] ?? '';
  return code >= 32 && code <= 0xffff ? String.fromCodePoint(code) : '';
}
