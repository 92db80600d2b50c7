import { type Handler, Parser } from 'htmlparser2';
import { markDisclosures } from './disclosures.js';
import { limitDepth, MAX_DEPTH } from './limit-depth.js';
import { createTreeBuilder, type PageTree } from './page-tree.js';
import { parseByStandard } from './parse-by-standard.js';

const MAX_REPAIR_CHARS = 4_000_000;
/** Maximum ratio of elements after the repair to start tags in the source. */
const MAX_GROWTH = 4;
const MIN_ELEMENTS = 1_000;

interface FastReading {
  tree: PageTree;
  /** Maximum number of elements that were open at the same time. */
  depth: number;
  isBroken: boolean;
}

/** Parses HTML with the fast parser, or by the standard if the markup is clearly broken. */
export function parsePage(html: string): PageTree {
  const tree = readRows(html);
  markDisclosures(tree);
  return tree;
}

function readRows(html: string): PageTree {
  const { tree, isBroken } = readFast(html);
  if (!isBroken || html.length > MAX_REPAIR_CHARS) return tree;
  return parseByStandard(html, Math.max(MIN_ELEMENTS, MAX_GROWTH * countStartTags(html))) ?? tree;
}

/** Counts the start tags in the source, because the fast parser may have lost most of them. */
function countStartTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    // Convert to lower case.
    const letter = html.charCodeAt(at + 1) | 0x20;
    if (letter >= 0x61 && letter <= 0x7a) count += 1;
  }
  return count;
}

/**
 * Leaves out the innermost elements if they are nested too deeply. If this is not enough, stops reading at that depth.
 */
function readFast(html: string): FastReading {
  const reading = readDownTo(MAX_DEPTH, html);
  return reading.depth > MAX_DEPTH ? readDownTo(2 * MAX_DEPTH, limitDepth(html)) : reading;
}

/** Reads the page, but stops at elements that are nested deeper than `maxDepth`. */
function readDownTo(maxDepth: number, source: string): FastReading {
  const builder = createTreeBuilder();
  let hasLostMarkup = false;
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
    oncomment(data) {
      endText();
      // According to the standard, CDATA outside foreign elements is a comment that ends at the first ">".
      hasLostMarkup ||= data.startsWith('[CDATA[') && data.includes('>');
    },
    onprocessinginstruction: endText,
  };
  const parser = new Parser(handler);
  parser.write(source);
  parser.end();
  endText();
  return { tree: builder.finish(depth > maxDepth), depth, isBroken: builder.isBroken() || hasLostMarkup };
}
