import { parseDocument } from 'htmlparser2';
import { limitDepth } from '../page/limit-depth.js';

type DomNode = ReturnType<typeof parseDocument>['children'][number];
export type DomElement = Extract<DomNode, { attribs: unknown }>;

/** All elements of a document in order, without recursion. XML keeps the case of names. */
export function* elementsOf(source: string, kind: 'html' | 'xml'): Generator<DomElement> {
  const root = parseDocument(limitDepth(source), { xmlMode: kind === 'xml' });
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
