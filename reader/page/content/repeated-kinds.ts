import type { PageTree } from '../tree/page-tree.js';
import { containerTags } from '../tree/tag-sets.js';
import type { TextWeights } from '../tree/text-weights.js';

/** Groups elements with text by tag and first class, and by tag and numbered id. */
export function groupByKind(tree: PageTree, weights: TextWeights): Iterable<number[]> {
  const kinds = new Map<string, number[]>();
  const add = (kind: string, row: number) => {
    const rows = kinds.get(kind);
    if (rows === undefined) kinds.set(kind, [row]);
    else rows.push(row);
  };
  for (let row = 1; row < tree.tag.length; row++) {
    const tag = tree.tag[row] ?? '';
    if (!containerTags.has(tag) && tag !== 'li' && tag !== 'dd') continue;
    if ((weights.chars[row] ?? 0) === 0) continue;
    const { class: names = '', id = '' } = tree.attributes[row] ?? {};
    const name = /\S+/.exec(names.slice(0, 200))?.[0].replace(/\d+/g, '0');
    if (name !== undefined) add(`${tag}.${name}`, row);
    if (/\d/.test(id.slice(0, 100))) add(`${tag}#${id.slice(0, 100).replace(/\d+/g, '0')}`, row);
  }
  return kinds.values();
}
