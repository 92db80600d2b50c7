import { type Handler, Parser } from 'htmlparser2';
import { limitDepth, MAX_DEPTH } from './limit-depth.js';
import { createTreeBuilder, type PageTree } from './page-tree.js';
import { parseByStandard } from './parse-by-standard.js';

const MAX_REPAIR_CHARS = 4_000_000;
/** Maximum ratio of elements after the repair to before. */
const MAX_GROWTH = 4;
const MIN_ELEMENTS = 1_000;

interface FastReading {
  tree: PageTree;
  elements: number;
  /** Maximum number of open elements. */
  depth: number;
  isBroken: boolean;
}

/** Parses HTML with the fast parser, or by the standard if the markup is visibly broken. */
export function parsePage(html: string): PageTree {
  const { tree, elements, isBroken } = readFast(html);
  if (!isBroken || html.length > MAX_REPAIR_CHARS) return tree;
  return parseByStandard(html, Math.max(MIN_ELEMENTS, MAX_GROWTH * elements)) ?? tree;
}

/** Leaves out the innermost elements if they nest too deep, and stops there if that does not help. */
function readFast(html: string): FastReading {
  const reading = readDownTo(MAX_DEPTH, html);
  return reading.depth > MAX_DEPTH ? readDownTo(2 * MAX_DEPTH, limitDepth(html)) : reading;
}

/** Stops at elements nested deeper than `maxDepth`. */
function readDownTo(maxDepth: number, source: string): FastReading {
  const builder = createTreeBuilder();
  let elements = 0;
  let depth = 0;
  let text = '';
  const endText = () => {
    if (text !== '') builder.text(text);
    text = '';
  };
  const handler: Partial<Handler> = {
    onopentag(name, attributes) {
      endText();
      builder.open(name, attributes);
      elements += 1;
      depth = Math.max(depth, builder.depth());
      if (depth > maxDepth) parser.pause();
    },
    ontext(data) {
      text += data;
    },
    onclosetag(_name, isImplied) {
      endText();
      builder.close(isImplied);
    },
    oncomment: endText,
    onprocessinginstruction: endText,
  };
  const parser = new Parser(handler);
  parser.write(source);
  parser.end();
  endText();
  return { tree: builder.finish(depth > maxDepth), elements, depth, isBroken: builder.isBroken() };
}
