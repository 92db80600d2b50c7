import { Parser } from 'htmlparser2';
import { limitDepth, MAX_DEPTH } from '../page/limit-depth.js';

export interface MarkupElement {
  /** Without the namespace prefix. XML names keep their case. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Line breaks are newlines. */
  text: string;
}

const localName = (name: string): string => name.replace(/^.*:/, '');

/**
 * Returns the elements with these names in the order of their ends. Stops at a depth that `limitDepth` could not
 * prevent, because the parser's time grows with its square.
 */
export function elementsOf(source: string, kind: 'html' | 'xml', names: readonly string[]): MarkupElement[] {
  const found: MarkupElement[] = [];
  const open: { name: string; attributes: Readonly<Record<string, string>>; from: number }[] = [];
  const texts: string[] = [];
  const parser = new Parser(
    {
      onopentag(qualified, attributes) {
        const name = localName(qualified);
        if (/^br$/i.test(name)) texts.push('\n');
        open.push({ name, attributes, from: texts.length });
        if (open.length > 2 * MAX_DEPTH) parser.pause();
      },
      ontext: (data) => texts.push(data),
      onclosetag() {
        const element = open.pop();
        if (element === undefined || !names.includes(element.name)) return;
        const { name, attributes, from } = element;
        found.push({ name, attributes, text: texts.slice(from).join('') });
      },
    },
    { xmlMode: kind === 'xml' },
  );
  parser.write(limitDepth(source));
  parser.end();
  return found;
}
