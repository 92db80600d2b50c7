/** Symbols of the Wingdings fonts that have a meaning in text, by the low byte of their code. */
const wingdings: Readonly<Record<number, string>> = {
  32: ' ',
  74: '☺',
  108: '●',
  110: '■',
  111: '☐',
  113: '☐',
  118: '❖',
  120: '☒',
  167: '▪',
  168: '☐',
  216: '➢',
  223: '←',
  224: '→',
  225: '↑',
  226: '↓',
  232: '➔',
  239: '⇦',
  240: '⇨',
  251: '✗',
  252: '✓',
  253: '☒',
  254: '☑',
};

/** Characters of the Symbol font from 0x20 and from 0xA1. A blank means that there is no equivalent. */
const symbolLow =
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const symbolHigh = 'ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…  ↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑          ⟩∫';

function symbolOf(low: number, font: string): string {
  if (/^(wingdings|webdings)/i.test(font)) return wingdings[low] ?? '';
  if (/^symbol/i.test(font)) return (low < 0xa1 ? symbolLow[low - 0x20] : symbolHigh[low - 0xa1]) ?? '';
  return wingdings[low] ?? symbolHigh[low - 0xa1]?.trim() ?? '';
}

const isSymbolFont = (font: string) => /^(symbol|wingdings|webdings)/i.test(font);
const isPrivate = (code: number) => code >= 0xe000 && code <= 0xf8ff;

/** Returns the text of a `w:sym` element: the character itself, its equivalent in the symbol font, or nothing. */
export function symbolText(hex: string, font: string): string {
  const code = Number.parseInt(hex, 16);
  if (Number.isNaN(code)) return '';
  if (isPrivate(code) || (code < 0x100 && isSymbolFont(font))) return symbolOf(code & 0xff, font);
  return code >= 32 && code <= 0xffff ? String.fromCharCode(code) : '';
}

/** Replaces private-use codes of symbol fonts (U+F020 to U+F0FF) by the characters that they show. */
export const plainSymbols = (text: string, font: string): string =>
  /[\uf020-\uf0ff]/.test(text)
    ? text.replace(/[\uf020-\uf0ff]/g, (char) => symbolOf(char.charCodeAt(0) & 0xff, font))
    : text;
