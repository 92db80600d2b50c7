import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';

export function read(bytes) {
  const { document } = parseHTML(new TextDecoder().decode(bytes));
  return { html: new Readability(document).parse()?.content ?? '' };
}
