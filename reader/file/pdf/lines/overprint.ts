/** Maximum offset, in letter heights, of text drawn twice to look bold. */
const SHIFT = 0.08;
/** Positions remembered per text: it is redrawn at once or at the end of its line. */
const MAX_PLACES = 16;

/** Detects texts drawn over the same text of a page. */
export function createOverprints(): (text: string, x: number, y: number, size: number) => boolean {
  const drawn = new Map<string, (readonly [x: number, y: number])[]>();
  return (text, x, y, size) => {
    const places = drawn.get(text) ?? [];
    const near = SHIFT * size;
    if (places.some(([otherX, otherY]) => Math.abs(otherX - x) < near && Math.abs(otherY - y) < near)) {
      return true;
    }
    places.push([x, y]);
    if (places.length > MAX_PLACES) places.shift();
    drawn.set(text, places);
    return false;
  };
}
