/**
 * Returns whether a path matches a glob from start to end: `*` is any text within a segment, `**` any text. Takes time
 * proportional to the product of both lengths, without backtracking.
 */
export function matchesGlob(glob: string, path: string): boolean {
  const tokens = glob.match(/\*{2,}|\*|[^*]+/g) ?? [];
  /** Offsets in the path that the tokens so far can reach, ascending. */
  let reached = [0];
  for (const token of tokens) {
    if (token.startsWith('**')) reached = from(reached[0], path.length);
    else if (token === '*') reached = withinSegments(reached, path);
    else reached = reached.flatMap((at) => (path.startsWith(token, at) ? at + token.length : []));
    if (reached.length === 0) return false;
  }
  return reached.at(-1) === path.length;
}

const from = (first: number | undefined, last: number): number[] =>
  first === undefined ? [] : Array.from({ length: last - first + 1 }, (_, n) => first + n);

function withinSegments(reached: readonly number[], path: string): number[] {
  const found: number[] = [];
  let next = 0;
  for (const at of reached) {
    if (at < next) continue;
    const slash = path.indexOf('/', at);
    const end = slash < 0 ? path.length : slash;
    for (let each = at; each <= end; each += 1) found.push(each);
    next = end + 1;
  }
  return found;
}

/** Returns whether the globs leave out a path. `exclude` takes precedence over `include`. */
export const isExcluded = (
  path: string,
  { include, exclude }: { include: readonly string[]; exclude: readonly string[] },
): boolean =>
  exclude.some((glob) => matchesGlob(glob, path)) ||
  (include.length > 0 && !include.some((glob) => matchesGlob(glob, path)));
