import type { Attributes } from '../tree/attributes.js';
import { Hint } from '../tree/name-hints.js';
import { afterSubtree, childrenOf, holdsTag, type PageTree } from '../tree/page-tree.js';
import { textOf } from '../tree/text-of.js';

/** Longer preformatted text without signs of code is a document, such as an RFC or an e-mail. */
const MAX_LISTING_CHARS = 6_000;

/** Maximum length of a button's label. */
const MAX_LABEL_CHARS = 40;

/**
 * Returns whether an element that is named like a gutter is a column of line numbers or a button beside code, and not
 * the code itself.
 */
export function isGutter(tree: PageTree, row: number): boolean {
  if (((tree.hints[row] ?? 0) & Hint.gutter) === 0) return false;
  const text = textOf(tree, row);
  if (/^[\d\s.:|+\-–…]*$/.test(text)) return true;
  return text.length <= MAX_LABEL_CHARS && !holdsCode(tree, row);
}

/** Returns whether there is code below a row. The row itself does not count. */
const holdsCode = (tree: PageTree, row: number): boolean =>
  [...childrenOf(tree, row)].some((child) => holdsTag(tree, child, 'pre', 'code'));

/** Formats a `pre` element as a fenced block, without line numbers. */
export function fencedCode(tree: PageTree, row: number, dropped: Uint8Array): string {
  let code = '';
  let language = languageOf(tree.attributes[row]);
  let hasCode = false;
  const end = afterSubtree(tree, row);
  for (let below = row + 1; below < end; below++) {
    const tag = tree.tag[below] ?? '';
    const attributes = tree.attributes[below] ?? {};
    if (dropped[below] === 1 || (tag !== 'code' && isGutter(tree, below))) {
      below = afterSubtree(tree, below) - 1;
      continue;
    }
    if (tag === '') code += tree.text[below] ?? '';
    else if (tag === 'br') code += '\n';
    else if (
      (tag === 'div' || tag === 'tr' || tag === 'p' || tag === 'li') &&
      code !== '' &&
      !code.endsWith('\n')
    )
      code += '\n';
    if (tag === 'code') {
      hasCode = true;
      language ||= languageOf(attributes);
    }
  }
  const body = code
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
  if (body.trim() === '') return '';
  if (!hasCode && language === '' && body.length > MAX_LISTING_CHARS) return body;
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `${fence}${language}\n${body}\n${fence}`;
}

function languageOf(attributes: Attributes | undefined): string {
  const match = /(?:^|\s)(?:language|lang|highlight-source|brush:)-?\s*([\w+#-]{1,20})/i.exec(
    attributes?.class?.slice(0, 300) ?? '',
  );
  return match?.[1]?.toLowerCase() ?? attributes?.['data-lang']?.slice(0, 20) ?? '';
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`{3,}/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
