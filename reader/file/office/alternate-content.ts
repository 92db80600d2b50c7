/**
 * Tracks `mc:AlternateContent` (ISO/IEC 29500-3). Keeps the first alternative with text; the others repeat it for older
 * readers.
 */
export function createAlternates(emitted: () => number): {
  /** Returns true if the element begins an alternative that must be skipped. */
  open(name: string): boolean;
  close(name: string): void;
} {
  const stack: { used: boolean; from: number }[] = [];
  return {
    open(name) {
      if (name === 'mc:AlternateContent') stack.push({ used: false, from: 0 });
      const top = stack.at(-1);
      if (!top || (name !== 'mc:Choice' && name !== 'mc:Fallback')) return false;
      top.from = emitted();
      return top.used;
    },
    close(name) {
      const top = stack.at(-1);
      if (!top) return;
      if (name === 'mc:AlternateContent') stack.pop();
      else if (name === 'mc:Choice' || name === 'mc:Fallback') top.used ||= emitted() > top.from;
    },
  };
}
