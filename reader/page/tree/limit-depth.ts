/**
 * Maximum depth of nesting. Real pages stay below a few hundred, and the parser's time grows with the square of the
 * depth.
 */
export const MAX_DEPTH = 1_000;

const tagOrComment = /<!--|<(\/?)([a-z][a-z0-9:-]*)/gi;
const voidTags: ReadonlySet<string> = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'frame',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
]);
const rawTextTags: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title']);
/** Elements that end when another element of their kind begins. */
const endedBy: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'p',
    new Set([
      'p',
      'div',
      'ul',
      'ol',
      'dl',
      'table',
      'section',
      'article',
      'blockquote',
      'pre',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'form',
    ]),
  ],
  ['li', new Set(['li'])],
  ['dd', new Set(['dd', 'dt'])],
  ['dt', new Set(['dd', 'dt'])],
  ['th', new Set(['td', 'th', 'tr'])],
  ['td', new Set(['td', 'tr'])],
  ['tr', new Set(['tr'])],
  ['option', new Set(['option'])],
]);

/** Removes tags that are nested deeper than MAX_DEPTH, but keeps their text. Other pages are returned unchanged. */
export function limitDepth(html: string): string {
  const open: string[] = [];
  const kept: string[] = [];
  let from = 0;
  tagOrComment.lastIndex = 0;
  for (let match = tagOrComment.exec(html); match !== null; match = tagOrComment.exec(html)) {
    if (match[2] === undefined) {
      const closing = html.indexOf('-->', match.index + 2);
      if (closing < 0) break;
      tagOrComment.lastIndex = closing + 3;
      continue;
    }
    const name = match[2].toLowerCase();
    if (voidTags.has(name)) continue;
    if (match[1] === '/') {
      const at = open.lastIndexOf(name);
      if (at >= 0) open.length = at;
      continue;
    }
    if (rawTextTags.has(name)) {
      const closing = html.slice(tagOrComment.lastIndex).search(new RegExp(`</${name}`, 'i'));
      if (closing < 0) break;
      tagOrComment.lastIndex += closing;
      continue;
    }
    while (open.length > 0 && endedBy.get(open.at(-1) ?? '')?.has(name) === true) open.pop();
    if (open.length < MAX_DEPTH) {
      open.push(name);
      continue;
    }
    const end = html.indexOf('>', match.index);
    kept.push(html.slice(from, match.index));
    from = end < 0 ? html.length : end + 1;
    tagOrComment.lastIndex = from;
  }
  return kept.length === 0 ? html : kept.join('') + html.slice(from);
}
