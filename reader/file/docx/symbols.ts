import { isSymbolFont, symbolOf } from '../../symbol-fonts.js';

const isPrivate = (code: number) => code >= 0xe000 && code <= 0xf8ff;

/** Returns the text of a `w:sym` element: the character itself, its equivalent in the symbol font, or nothing. */
export function symbolText(hex: string, font: string): string {
  const code = Number.parseInt(hex, 16);
  if (Number.isNaN(code)) return '';
  if (isPrivate(code) || (code < 0x100 && isSymbolFont(font))) return symbolOf(code, font);
  return code >= 32 && code <= 0xffff ? String.fromCharCode(code) : '';
}
