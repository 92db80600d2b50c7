import { type Handle, select } from './handle.js';

/** Value of `PRAGMA auto_vacuum` in files that this version creates. Files of earlier versions cannot shrink. */
const INCREMENTAL = 2;
/** Pages per slice: 1 MiB, because other writers wait. */
const SLICE_PAGES = 256;
/** Free pages to keep in the file for new rows. */
const SPARE_PAGES = 256;

/** Returns a slice of the free pages to the file system with `vacuum`. Returns true if there are more. */
export async function shrink(handle: Handle, vacuum: (pages: number) => Promise<void>): Promise<boolean> {
  const numberOf = (pragma: string): number =>
    Number(Object.values(select(handle, `PRAGMA ${pragma}`, [])[0] ?? {})[0]);
  if (numberOf('auto_vacuum') !== INCREMENTAL) return false;
  const free = numberOf('freelist_count') - SPARE_PAGES;
  if (free <= 0) return false;
  await vacuum(Math.min(free, SLICE_PAGES));
  return free > SLICE_PAGES;
}
