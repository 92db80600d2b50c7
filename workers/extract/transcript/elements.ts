import { DomHandler, type Handler, Parser } from 'htmlparser2';
import { limitDepth, MAX_DEPTH } from '../page/limit-depth.js';

type DomNode = DomHandler['root']['children'][number];
/** An element of HTML or XML with its attributes and children. */
export type DomElement = Extract<DomNode, { attribs: unknown }>;

/** All elements of a document in order, without recursion. XML keeps the case of names. */
export function* elementsOf(source: string, kind: 'html' | 'xml'): Generator<DomElement> {
  const root = documentOf(limitDepth(source), kind === 'xml');
  for (let node: DomNode | null = root.children[0] ?? null; node !== null; ) {
    if (isElement(node)) yield node;
    let next: DomNode | null = isElement(node) ? (node.children[0] ?? null) : null;
    for (let at: DomNode | null = node; next === null && at !== null; ) {
      next = at.next;
      const above: DomElement['parent'] = at.parent;
      at = above !== null && above.type !== 'root' ? above : null;
    }
    node = next;
  }
}

/**
 * What nests absurdly in spite of `limitDepth` is read up to there: the parser's cost grows with the
 * square of the depth.
 */
function documentOf(source: string, xmlMode: boolean): DomHandler['root'] {
  const dom = new DomHandler();
  let depth = 0;
  const handler: Partial<Handler> = {
    onopentag(name, attributes) {
      dom.onopentag(name, attributes);
      depth += 1;
      if (depth > 2 * MAX_DEPTH) parser.pause();
    },
    onclosetag() {
      dom.onclosetag();
      depth -= 1;
    },
    ontext: (data) => dom.ontext(data),
    oncomment: (data) => dom.oncomment(data),
    oncommentend: () => dom.oncommentend(),
    oncdatastart: () => dom.oncdatastart(),
    oncdataend: () => dom.oncdataend(),
  };
  const parser = new Parser(handler, { xmlMode });
  parser.write(source);
  parser.end();
  return dom.root;
}

/** The text below an element; line breaks as newlines. */
export function textWithin(element: DomElement): string {
  const parts: string[] = [];
  const stack: DomNode[] = [element];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'text') parts.push(node.data);
    else if ('children' in node) {
      if (isElement(node) && /^(?:\w+:)?br$/i.test(node.name)) parts.push('\n');
      for (let i = node.children.length - 1; i >= 0; i--) {
        const child = node.children[i];
        if (child !== undefined) stack.push(child);
      }
    }
  }
  return parts.join('');
}

const isElement = (node: DomNode): node is DomElement => 'attribs' in node;
