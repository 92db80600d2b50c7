/**
 * Expands lists in statements. Lists are padded with their last value to a power of two, which limits the number of
 * distinct statements; an empty list holds NULL, which equals nothing.
 */
export function withLists(sql: string, params: unknown[]): [string, unknown[]] {
  if (!params.some(Array.isArray)) return [sql, params];
  const lists = params.map((param) => (Array.isArray(param) ? filled(orNull(param)) : [param]));
  let next = 0;
  const text = sql.replace(/\?/g, () =>
    Array(lists[next++]?.length ?? 1)
      .fill('?')
      .join(', '),
  );
  return [text, lists.flat()];
}

const orNull = (list: unknown[]): unknown[] => (list.length === 0 ? [null] : list);

/** Pads the list with its last value to a power of two. */
export function filled<T>(list: readonly T[]): T[] {
  const length = list.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(list.length));
  return [...list, ...Array(length - list.length).fill(list.at(-1))];
}
