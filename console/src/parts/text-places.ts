/** The API counts code points, strings count units: the place of a code point in a string. */
export function unitAt(text: string, codePoint: number): number {
  let unit = 0;
  for (let left = codePoint; left > 0 && unit < text.length; left -= 1)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}
