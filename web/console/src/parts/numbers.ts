/** Formats a number. Integers below 1,000 need no grouping, and the first use of Intl delays the first page. */
export const count = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1000 ? String(value) : value.toLocaleString();

/** Returns `1 page` or `2 pages`. */
export const several = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(value: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, value)) / 10));
  const shown = value / 1024 ** power;
  return `${count(power === 0 || shown >= 100 ? Math.round(shown) : Math.round(shown * 10) / 10)} ${units[power]}`;
}
