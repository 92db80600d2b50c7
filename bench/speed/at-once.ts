/** Works through the items, `places` at a time; how many `work` was content with. */
export async function atOnce<T>(
  places: number,
  items: readonly T[],
  work: (item: T) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  const next = items.values();
  await Promise.all(
    Array.from({ length: places }, async () => {
      for (const item of next) if (await work(item)) done += 1;
    }),
  );
  return done;
}
