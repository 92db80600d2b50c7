import { DomHandler, type Handler, Parser } from 'htmlparser2';
import { limitDepth, MAX_DEPTH } from '../page/limit-depth.js';

type DomNode = DomHandler['root']['children'][number];
export type DomElement = Extract<DomNode, { attribs: unknown }>;

/** Yields all elements in order, without recursion. XML names keep their case. */
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

/** Stops at a depth that `limitDepth` could not prevent, because the parser's time grows with its square. */
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

/** Returns the text of an element with line breaks as newlines. */
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
