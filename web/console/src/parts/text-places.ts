/** Converts an index in code points, as in the API, to one in UTF-16 units. */
export function unitAt(text: string, codePoint: number): number {
  let unit = 0;
  for (let left = codePoint; left > 0 && unit < text.length; left -= 1)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}
