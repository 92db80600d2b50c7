import { Parser } from 'htmlparser2';
import { limitDepth, MAX_DEPTH } from '../page/tree/limit-depth.js';

export interface MarkupElement {
  /** Name without the namespace prefix. XML names keep their case. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Text in which line breaks are newlines. Empty unless the text of this name was requested. */
  text: string;
}

const localName = (name: string): string => name.replace(/^.*:/, '');

/**
 * Returns the elements with these names in document order. Text belongs only to the innermost of the `namesWithText`
 * elements around it, so that nested elements take linear memory. Stops at depths that `limitDepth` could not prevent,
 * because the parser's time grows with the square of the depth.
 */
export function elementsOf(
  source: string,
  kind: 'html' | 'xml',
  names: readonly string[],
  namesWithText: readonly string[],
): MarkupElement[] {
  const found: MarkupElement[] = [];
  /** For each open element, the innermost element around it, or the element itself, that collects text. */
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
