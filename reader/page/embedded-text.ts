import { isArticlePage, isProductPage } from './content/page-kind.js';
import { jsonLdObjects, typesOf } from './facts/json-ld.js';
import { isRecord, parseJson } from './facts/json-value.js';
import { pageTitle } from './facts/title.js';
import { toMarkdown } from './markdown/markdown.js';
import type { PageTree } from './tree/page-tree.js';
import { parsePage } from './tree/parse-page.js';

const MIN_TEXT_CHARS = 100;
/** The declared text is used instead of the visible text if it is longer by this factor. */
const MUCH_FULLER = 2.5;
const MAX_BARE_PRODUCT_CHARS = 300;
const MIN_STRING_CHARS = 40;
const MIN_WORDS = 6;
const MAX_VALUES = 200_000;
const MAX_MARKUP_CHARS = 1_000_000;
/** Fields that contain texts of the application and not of the page. */
const otherFields =
  /cookie|consent|gdpr|privacy|legal|terms|i18n|locale|transl|messages|labels|dictionar|intl|lang|strings|menu|nav|footer|header|sidebar|seo|meta|schema|error|config|settings|feature|query|style|css|script|url|href|src|path|alt|token|key$|id$|hash|version|related|recommend|comment/i;

/** Returns the declared text of an article or product if the page shows only its beginning; otherwise ''. */
export function declaredFullText(tree: PageTree, visible: string): string {
  const isShort = isProductPage(tree) && visible.length < MAX_BARE_PRODUCT_CHARS;
  if (!isShort && !isArticlePage(tree)) return '';
  const declared = declaredBody(tree);
  if (declared.length < MIN_TEXT_CHARS || declared.length < MUCH_FULLER * visible.length) return '';
  return withTitle(tree, declared);
}

/**
 * Returns text that is shown only by scripts, as Markdown: from structured data, or else from an application's state.
 * '' if there is none.
 */
export function embeddedText(tree: PageTree): string {
  const declared = declaredBody(tree);
  const text = declared.length >= MIN_TEXT_CHARS ? declared : stateText(tree);
  return text.length < MIN_TEXT_CHARS ? '' : withTitle(tree, text);
}

function withTitle(tree: PageTree, text: string): string {
  const title = pageTitle(tree);
  return title === null || text.slice(0, 2 * title.length + 4).includes(title)
    ? text
    : `# ${title}\n\n${text}`;
}

/** Returns the text of the article, posting or product in the page's JSON-LD. */
function declaredBody(tree: PageTree): string {
  let best = '';
  for (const thing of jsonLdObjects(tree)) {
    const body = thing.articleBody ?? thing.reviewBody ?? thing.text ?? bodyOfKind(thing);
    const text = typeof body === 'string' ? readable(body) : '';
    if (text.length > best.length) best = text;
  }
  return best;
}

function bodyOfKind(thing: Readonly<Record<string, unknown>>): unknown {
  const describes = typesOf(thing).some((type) =>
    /^(?:Product|JobPosting|Event|Recipe|Course|Book)/.test(type),
  );
  return describes ? thing.description : undefined;
}

function stateText(tree: PageTree): string {
  const found: string[] = [];
  const seen = new Set<string>();
  for (const block of tree.head.state) {
    const data = parseJson(block.trim().replace(/;$/, ''));
    for (const value of data === null ? literalsOf(block) : proseOf(data)) {
      const text = readable(value);
      if (!isProse(text) || seen.has(text)) continue;
      seen.add(text);
      found.push(text);
    }
  }
  return found.join('\n\n');
}

/** Yields the string literals of a script. Its state may be an expression instead of JSON. */
function* literalsOf(script: string): Generator<string> {
  for (let start = script.indexOf('"'); start >= 0; ) {
    let end = start + 1;
    while (end < script.length && script[end] !== '"') end += script[end] === '\\' ? 2 : 1;
    if (end >= script.length) return;
    const value = end - start > MIN_STRING_CHARS ? parseJson(script.slice(start, end + 1)) : null;
    if (typeof value === 'string') yield value;
    start = script.indexOf('"', end + 1);
  }
}

/** Yields the strings of a JSON value that may be prose. */
function* proseOf(data: unknown): Generator<string> {
  const stack: unknown[] = [data];
  for (let count = 0; stack.length > 0 && count < MAX_VALUES; count++) {
    const value = stack.pop();
    if (typeof value === 'string') {
      if (value.length >= MIN_STRING_CHARS) yield value;
    } else if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--) stack.push(value[i]);
    } else if (isRecord(value)) {
      const fields = Object.entries(value);
      for (let i = fields.length - 1; i >= 0; i--) {
        const [name, inner] = fields[i] ?? [];
        if (name !== undefined && !otherFields.test(name)) stack.push(inner);
      }
    }
  }
}

/** Returns false for addresses, code and lists of names. */
function isProse(text: string): boolean {
  if (text.length < MIN_STRING_CHARS || /^(?:https?:|data:|[{[])/.test(text)) return false;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]{12}/u.test(text)) return true;
  return (
    text.split(/\s+/, MIN_WORDS).length >= MIN_WORDS && /[.!?…。؟।:]/.test(text) && !/[{};]\s*\n/.test(text)
  );
}

/** Converts markup to text. Keeps the paragraphs of plain text. */
function readable(value: string): string {
  if (!/<\/?[a-z][^<>]*>|&[a-z#\d]{2,8};/i.test(value)) return value.replace(/\r\n?/g, '\n').trim();
  const tree = parsePage(value.slice(0, MAX_MARKUP_CHARS));
  return toMarkdown(tree, [0], new Uint8Array(tree.tag.length));
}
