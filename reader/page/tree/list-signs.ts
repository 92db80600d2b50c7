import type { Attributes } from './attributes.js';
import { iconSign } from './cell-signs.js';

/** The columns of a page tree that are read here. */
interface Rows {
  tag: readonly string[];
  text: string[];
  parent: readonly number[];
  end: readonly number[];
}

/** Elements that may show an icon. */
const iconTags: ReadonlySet<string> = new Set(['li', 'i', 'span', 'svg', 'em', 'b']);
/** Rows of an item in which its text begins. */
const MAX_ROWS = 30;

/** Finds the icons for yes and no of list items. */
export interface ListSigns {
  /** Takes the start of an element. `row` is the row of a list item. */
  open(name: string, attributes: Attributes, row: number): void;
  close(name: string): void;
  /** Writes the signs of lists that have both. In other lists, they are bullets. */
  write(rows: Rows): void;
}

export function createListSigns(): ListSigns {
  const items: { row: number; sign: string }[] = [];
  const signs = new Map<number, string>();
  return {
    open(name, attributes, row) {
      if (name === 'li') items.push({ row, sign: '' });
      const item = items.at(-1);
      if (item === undefined || item.sign !== '' || !iconTags.has(name)) return;
      item.sign = iconSign(attributes);
      if (item.sign !== '') signs.set(item.row, item.sign);
    },
    close(name) {
      if (name === 'li') items.pop();
    },
    write({ tag, text, parent, end }) {
      const kinds = new Map<number, Set<string>>();
      for (const [row, sign] of signs) {
        const list = parent[row] ?? 0;
        kinds.set(list, (kinds.get(list) ?? new Set()).add(sign));
      }
      for (const [row, sign] of signs) {
        if (kinds.get(parent[row] ?? 0)?.size !== 2) continue;
        const last = Math.min(end[row] ?? row, row + MAX_ROWS);
        for (let at = row + 1; at < last; at++) {
          const own = text[at] ?? '';
          if (tag[at] !== '' || own.trim() === '') continue;
          text[at] = `${sign} ${own.trimStart()}`;
          break;
        }
      }
    },
  };
}
