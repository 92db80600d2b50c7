import type { Attributes } from './attributes.js';
import { Hint } from './name-hints.js';
import type { PageTree } from './page-tree.js';

/** Preformatted text of this size without any sign of code is a document (an RFC, a mail), not a listing. */
const MAX_LISTING_CHARS = 6_000;

/** A `pre` element as a fenced block; line-number gutters are left out. */
export function fencedCode(tree: PageTree, row: number, dropped: Uint8Array): string {
  let code = '';
  let language = languageOf(tree.attributes[row]);
  let hasCode = false;
  const end = tree.end[row] ?? row + 1;
  for (let below = row + 1; below < end; below++) {
    const tag = tree.tag[below] ?? '';
    const attributes = tree.attributes[below] ?? {};
    if (dropped[below] === 1 || (tag !== 'code' && ((tree.hints[below] ?? 0) & Hint.gutter) !== 0)) {
      below = (tree.end[below] ?? below + 1) - 1;
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
