import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { type Handler, Parser } from 'htmlparser2';
import { type DefaultTreeAdapterTypes, parse as parseByStandard } from 'parse5';
import { limitDepth, MAX_DEPTH } from './limit-depth.js';
import type { Attributes } from './page-head.js';
import { createTreeBuilder, type PageTree } from './page-tree.js';

/** parse5 looks through its stack of open elements: too slow where nesting is absurd. */
const MAX_REPAIR_DEPTH = 400;
const MAX_REPAIR_CHARS = 4_000_000;
/** In their text, an ampersand is an ampersand. */
const rawTextTags: ReadonlySet<string> = new Set(['script', 'style', 'xmp']);

interface FastReading {
  tree: PageTree;
  /** Most elements that were open at once. */
  depth: number;
  isBroken: boolean;
}

/** Parses HTML. Forgiving and fast first; by the standard's own rules where the markup is visibly broken. */
export function parsePage(html: string): PageTree {
  const { tree, depth, isBroken } = readFast(html);
  if (!isBroken || depth > MAX_REPAIR_DEPTH || html.length > MAX_REPAIR_CHARS) return tree;
  return readExactly(html);
}

/** What the forgiving parser makes of a page. Where elements nest absurdly, the innermost ones are left out. */
function readFast(html: string): FastReading {
  const reading = readDownTo(MAX_DEPTH, html);
  return reading.depth > MAX_DEPTH ? readDownTo(Infinity, limitDepth(html)) : reading;
}

/** Stops where elements nest deeper than `maxDepth`. */
function readDownTo(maxDepth: number, source: string): FastReading {
  const builder = createTreeBuilder();
  let depth = 0;
  let text = '';
  let isRaw = false;
  let hasReferences = false;
  const endText = () => {
    if (text !== '') builder.text(isRaw || !text.includes('&') ? text : decodeHTML(text));
    text = '';
  };
  const handler: Partial<Handler> = {
    onattribute(_name, value) {
      hasReferences ||= value.includes('&');
    },
    onopentag(name, attributes) {
      endText();
      builder.open(name, hasReferences ? decoded(attributes) : attributes);
      hasReferences = false;
      isRaw = rawTextTags.has(name);
      depth = Math.max(depth, builder.depth());
      if (depth > maxDepth) parser.pause();
    },
    ontext(data) {
      text += data;
    },
    onclosetag() {
      endText();
      isRaw = false;
      builder.close();
    },
    oncomment: endText,
    onprocessinginstruction: endText,
  };
  // The parser skips to the next tag at once where it need not look for references on the way.
  const parser = new Parser(handler, { decodeEntities: false });
  parser.write(source);
  parser.end();
  endText();
  return { tree: builder.finish(), depth, isBroken: builder.isBroken() };
}

const decoded = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, decodeHTMLAttribute(value)]));

type Node = DefaultTreeAdapterTypes.ChildNode;

function readExactly(source: string): PageTree {
  const builder = createTreeBuilder();
  const ahead: (Node | 'close')[] = [];
  const enter = (children: readonly Node[]) => {
    for (let i = children.length - 1; i >= 0; i--) ahead.push(children[i] as Node);
  };
  enter(parseByStandard(source, { scriptingEnabled: false }).childNodes);
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if (node === 'close') builder.close();
    else if ('tagName' in node) {
      builder.open(node.tagName.toLowerCase(), attributesOf(node));
      ahead.push('close');
      enter('content' in node ? node.content.childNodes : node.childNodes);
    } else if (node.nodeName === '#text' && 'value' in node) builder.text(node.value);
  }
  return builder.finish();
}

const attributesOf = ({ attrs }: DefaultTreeAdapterTypes.Element): Attributes =>
  Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
