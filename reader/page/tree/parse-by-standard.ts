import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import type { Attributes } from './attributes.js';
import { createTreeBuilder, type PageTree } from './page-tree.js';

type Node = DefaultTreeAdapterTypes.ChildNode;
type CreateElement = typeof defaultTreeAdapter.createElement;

/** Maximum depth. The parser searches its stack of open elements, which is too slow with more. */
const MAX_OPEN = 400;

const tooCostly = new Error('the page nests or repeats too much');

/**
 * Parses a page by the HTML standard (https://html.spec.whatwg.org/#tree-construction), which repairs missing end tags.
 * Returns null if the page is nested too deeply or has more than `maxElements` elements.
 */
export function parseByStandard(html: string, maxElements: number): PageTree | null {
  try {
    const treeAdapter = adapterWithin(maxElements);
    return tableOf(parse(html, { scriptingEnabled: false, treeAdapter }).childNodes);
  } catch (error) {
    if (error === tooCostly) return null;
    throw error;
  }
}

function adapterWithin(maxElements: number): typeof defaultTreeAdapter {
  let open = 0;
  let elements = 0;
  const createElement: CreateElement = (...element) => {
    if (++elements > maxElements) throw tooCostly;
    return defaultTreeAdapter.createElement(...element);
  };
  return {
    ...defaultTreeAdapter,
    createElement,
    onItemPush() {
      if (++open > MAX_OPEN) throw tooCostly;
    },
    onItemPop() {
      open -= 1;
    },
  };
}

function tableOf(children: readonly Node[]): PageTree {
  const builder = createTreeBuilder();
  const ahead: (Node | 'close')[] = [];
  const enter = (nodes: readonly Node[]) => {
    for (let i = nodes.length - 1; i >= 0; i--) ahead.push(nodes[i] as Node);
  };
  enter(children);
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if (node === 'close') builder.close();
    else if ('tagName' in node) {
      builder.open(node.tagName.toLowerCase(), attributesOf(node));
      ahead.push('close');
      enter('content' in node ? node.content.childNodes : node.childNodes);
    } else if (node.nodeName === '#text' && 'value' in node) builder.text(node.value);
  }
  return builder.finish(false);
}

const attributesOf = ({ attrs }: DefaultTreeAdapterTypes.Element): Attributes =>
  Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
