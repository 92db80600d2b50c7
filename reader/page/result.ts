import { capText } from '../cap-text.js';
import type { Facts, PageKind, Reading } from '../reading.js';
import { isInterstitial } from './interstitial.js';

/** Caps the text. Marks the result as cut if the text or the page was cut, and as interstitial if it replaces the content. */
export function readAs(
  kind: PageKind,
  title: string | null,
  fullText: string,
  facts: Facts,
  isCut = false,
): Reading<PageKind> {
  const capped = capText(fullText);
  const { text } = capped;
  const content = { title, text, kind, facts, isCut: capped.isCut || isCut };
  return { ok: true, content: isInterstitial(title, text) ? { ...content, isInterstitial: true } : content };
}
