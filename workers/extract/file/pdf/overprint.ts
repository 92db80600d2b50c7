/** How near, in letter heights, the same text is drawn again to look bold. */
const SHIFT = 0.08;
/** Places kept of one text: it is drawn again at once, or at the end of its line. */
const MOST_PLACES = 16;

/** Tells of the texts of one page whether they only lie over one that was drawn before. */
export function createOverprints(): (text: string, x: number, y: number, size: number) => boolean {
  const drawn = new Map<string, (readonly [x: number, y: number])[]>();
  return (text, x, y, size) => {
    const places = drawn.get(text) ?? [];
    const near = SHIFT * size;
    if (places.some(([otherX, otherY]) => Math.abs(otherX - x) < near && Math.abs(otherY - y) < near)) {
      return true;
    }
    places.push([x, y]);
    if (places.length > MOST_PLACES) places.shift();
    drawn.set(text, places);
    return false;
  };
}
