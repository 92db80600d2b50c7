import { Parser } from 'htmlparser2';
import { limitDepth, MAX_DEPTH } from '../page/tree/limit-depth.js';

export interface MarkupElement {
  /** Without the namespace prefix. XML names keep their case. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Line breaks are newlines. Empty for names whose text is not asked for. */
  text: string;
}

const localName = (name: string): string => name.replace(/^.*:/, '');

/**
 * Returns the elements with these names in document order. A piece of text belongs to the innermost of
 * `namesWithText` around it and to no other, so that nested elements take linear memory. Stops at a depth that
 * `limitDepth` could not prevent, because the parser's time grows with its square.
 */
export function elementsOf(
  source: string,
  kind: 'html' | 'xml',
  names: readonly string[],
  namesWithText: readonly string[],
): MarkupElement[] {
  const found: MarkupElement[] = [];
  /** For each open element, the innermost one around or at it that takes text. */
  const open: (MarkupElement | undefined)[] = [];
  const addText = (data: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += data;
  };
  const parser = new Parser(
    {
      onopentag(qualified, attributes) {
        const name = localName(qualified);
        if (/^br$/i.test(name)) addText('\n');
        const element = { name, attributes, text: '' };
        const takesText = namesWithText.includes(name);
        if (takesText || names.includes(name)) found.push(element);
        open.push(takesText ? element : open.at(-1));
        if (open.length > 2 * MAX_DEPTH) parser.pause();
      },
      ontext: addText,
      onclosetag: () => open.pop(),
    },
    { xmlMode: kind === 'xml' },
  );
  parser.write(limitDepth(source));
  parser.end();
  return found;
}
