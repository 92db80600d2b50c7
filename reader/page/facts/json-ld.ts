import type { PageTree } from '../tree/page-tree.js';
import { isRecord, parseJson } from './json-value.js';

const MAX_THINGS = 500;
const WRAPPING_CHARS = 30;

const known = new WeakMap<PageTree, readonly Record<string, unknown>[]>();

/** Returns the objects in the page's JSON-LD, both at the top level and in graphs. */
export function jsonLdObjects(tree: PageTree): readonly Record<string, unknown>[] {
  const before = known.get(tree);
  if (before !== undefined) return before;
  const things: Record<string, unknown>[] = [];
  for (const block of tree.head.jsonLd) {
    const data = parseLoosely(block);
    const queue: unknown[] = Array.isArray(data) ? data.slice(0, MAX_THINGS) : [data];
    for (let i = 0; i < queue.length && things.length < MAX_THINGS; i++) {
      const thing = queue[i];
      if (!isRecord(thing)) continue;
      things.push(thing);
      const graph = thing['@graph'];
      if (Array.isArray(graph)) queue.push(...graph.slice(0, MAX_THINGS));
    }
  }
  known.set(tree, things);
  return things;
}

export function typesOf(thing: Readonly<Record<string, unknown>>): string[] {
  const type = thing['@type'];
  return (Array.isArray(type) ? type : [type])
    .filter((name) => typeof name === 'string')
    .map((name) => name.replace(/^.*[/#:]/, ''));
}

/**
 * Parses JSON-LD that a content management system has wrapped in CDATA or comments, or that has newlines in strings.
 */
function parseLoosely(block: string): unknown {
  const trimmed = block.trim();
  const opening =
    /^(?:\/\/|\/\*)?\s*(?:<!\[CDATA\[|<!--)(?:\s*\*\/)?/.exec(trimmed.slice(0, WRAPPING_CHARS))?.[0] ?? '';
  const closing =
    /(?:\/\/|\/\*)?\s*(?:\]\]>|-->)\s*(?:\*\/)?$|;$/.exec(trimmed.slice(-WRAPPING_CHARS))?.[0] ?? '';
  const bare = trimmed.slice(opening.length, trimmed.length - closing.length);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them, pages hold them
  return parseJson(bare) ?? parseJson(bare.replace(/[\u0000-\u001f]+/g, ' '));
}
