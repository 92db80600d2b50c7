import { capText } from '../cap-text.js';
import type { Facts, PageKind, Reading } from '../reading.js';

/** Caps the text. Marks the result as cut if the text or the page was cut. */
export function readAs(
  kind: PageKind,
  title: string | null,
  fullText: string,
  facts: Facts,
  isCut = false,
): Reading<PageKind> {
  const capped = capText(fullText);
  return { ok: true, content: { title, text: capped.text, kind, facts, isCut: capped.isCut || isCut } };
}
