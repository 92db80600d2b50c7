/**
 * Returns the Damerau-Levenshtein distance (optimal string alignment). Common packages count a transposition, the
 * most frequent mistake, as two edits, and so miss it in short names.
 */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  const of = (line: number[], j: number): number => line[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(of(row, j - 1) + (same ? 0 : 1), of(row, j) + 1, of(next, j - 1) + 1);
      if (swapped) next[j] = Math.min(of(next, j), of(before, j - 2) + 1);
    }
    before = row;
    row = next;
  }
  return of(row, b.length);
}

/** Returns the most similar name; undefined if more than a third of the letters differ. */
export function closestName(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.floor(name.length / 3) + 1;
  if (name.length > 100) return undefined;
  for (const candidate of names) {
    const apart = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (apart < least) {
      best = candidate;
      least = apart;
    }
  }
  return best;
}
