import { capText } from '../cap-text.js';
import type { Facts, PageKind, Reading } from '../reading.js';

/** A text over the cap is cut and says so, as does one of a page that `isCut` already. */
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
