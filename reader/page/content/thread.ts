import { jsonLdObjects, typesOf } from '../facts/json-ld.js';
import { afterSubtree, ancestorsOf, type PageTree } from '../tree/page-tree.js';
import { headingLevels } from '../tree/tag-sets.js';
import { textOf } from '../tree/text-of.js';
import { linkShare, type TextWeights } from '../tree/text-weights.js';
import { knownTitles, repeatsTitle } from './known-titles.js';
import { isArticlePage, isProductPage } from './page-kind.js';
import { groupByKind } from './repeated-kinds.js';

/** A discussion that is the main content of a page. */
export interface Thread {
  /** Outermost rows of the posts, in order. */
  posts: readonly number[];
  /** The smallest element that contains the posts, and the title if there is prose between them. */
  root: number;
  /** Row of the title inside `root`, or else `root`. Text before it does not belong to the thread. */
  start: number;
}

const MIN_POSTS = 3;
const MIN_DECLARED_POSTS = 2;
/** Among the elements of a kind, the minimum share of posts with a date and a name. */
const MIN_POST_SHARE = 0.6;
const MIN_POST_CHARS = 10;
const MIN_AVERAGE_PROSE = 40;
const MAX_POST_LINK_SHARE = 0.5;
/** Minimum share of the page's prose that the posts contain. */
const MIN_THREAD_SHARE = 0.5;
/** A longer text before the posts is an article with comments. */
const MAX_OPENING = 400;
const MAX_LONG_OPENING = 1_500;
/** After a long opening, the minimum ratio of the posts' text to the opening, and the minimum number of posts. */
const LONG_OPENING_FACTOR = 3;
const LONG_OPENING_POSTS = 5;
/** If a page declares an article, more prose before the posts is that article. */
const MAX_LEAD = 120;
const MAX_LABEL_CHARS = 40;
const MAX_DATE_CHARS = 60;
/** A longer heading is a title rather than a name. */
const MAX_NAME_CHARS = 20;
/** The author is expected among this many first texts of a post. */
const MAX_LABELS = 20;
/** A label shared by a larger share of posts is a control or a rank. */
const MAX_SHARED_LABEL = 0.8;

const dateText =
  /\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|(?<!\d)\d{1,2}:\d{2}(?!\d)|(?<!\d)(?:19|20)\d\d(?!\d)|\d\s?[年月]/;
const threadTypes = /^(?:DiscussionForumPosting|QAPage)$/;

/** Finds the thread that is the page's content: repeated elements, each with a date, a name and text. */
export function findThread(tree: PageTree, weights: TextWeights): Thread | null {
  if (isProductPage(tree)) return null;
  const isDeclared = declaresThread(tree);
  const posts = findPosts(tree, weights, isDeclared ? MIN_DECLARED_POSTS : MIN_POSTS);
  const [first] = posts;
  const last = posts.at(-1);
  if (first === undefined || last === undefined) return null;
  const around = commonAncestor(tree, first, last);
  const thread = withOpening(tree, weights, posts, around);
  if (isDeclared) return thread;
  const isAlone = !isArticlePage(tree) || proseBefore(tree, weights, first) < MAX_LEAD;
  return isAlone && isMostly(weights, thread) ? thread : null;
}

function declaresThread(tree: PageTree): boolean {
  return (
    jsonLdObjects(tree).some((thing) => typesOf(thing).some((type) => threadTypes.test(type))) ||
    tree.head.itemTypes.some((type) => threadTypes.test(type))
  );
}

/** Returns whether the posts are the content, and not an article before them. */
function isMostly(weights: TextWeights, { posts, root }: Thread): boolean {
  const inPosts = sum(weights, posts);
  if (inPosts < MIN_THREAD_SHARE * (weights.prose[0] ?? 0)) return false;
  const opening = (weights.prose[root] ?? 0) - inPosts;
  return (
    opening < MAX_OPENING ||
    (opening < MAX_LONG_OPENING &&
      posts.length >= LONG_OPENING_POSTS &&
      inPosts >= LONG_OPENING_FACTOR * opening)
  );
}

/**
 * Returns the prose of the page before a row. An article with comments is before them, but forums also declare
 * articles.
 */
function proseBefore(tree: PageTree, weights: TextWeights, end: number): number {
  let prose = 0;
  for (let row = 1; row < end; row++) {
    if (afterSubtree(tree, row) > end) continue;
    prose += weights.prose[row] ?? 0;
    row = afterSubtree(tree, row) - 1;
  }
  return prose;
}

const sum = (weights: TextWeights, rows: readonly number[]): number =>
  rows.reduce((total, row) => total + (weights.prose[row] ?? 0), 0);

/** Returns the posts of the kind with most prose; none if no kind has at least `min`. */
function findPosts(tree: PageTree, weights: TextWeights, min: number): number[] {
  const dates = countDates(tree);
  if ((dates[tree.tag.length] ?? 0) < min) return [];
  let titles: Int32Array | undefined;
  const has = (counts: Int32Array, row: number): boolean =>
    (counts[afterSubtree(tree, row)] ?? 0) > (counts[row] ?? 0);
  let best: number[] = [];
  let bestProse = 0;
  for (const rows of groupByKind(tree, weights)) {
    if (rows.length < min) continue;
    const hasDate = rows.filter((row) => has(dates, row));
    if (hasDate.length < min || hasDate.length < MIN_POST_SHARE * rows.length) continue;
    titles ??= countTeaserTitles(tree);
    const teasers = titles;
    const dated = hasDate.filter(
      (row) =>
        !has(teasers, row) &&
        (weights.chars[row] ?? 0) >= MIN_POST_CHARS &&
        linkShare(weights, row) < MAX_POST_LINK_SHARE,
    );
    if (dated.length < min || dated.length < MIN_POST_SHARE * rows.length) continue;
    const prose = sum(weights, outermost(tree, dated));
    if (prose <= bestProse || prose < MIN_AVERAGE_PROSE * dated.length || !areNamed(tree, dated)) continue;
    best = outermost(tree, rows);
    bestProse = prose;
  }
  return best;
}

/** Returns the rows that are not inside another one. `rows` are in document order. */
function outermost(tree: PageTree, rows: readonly number[]): number[] {
  let end = 0;
  return rows.filter((row) => {
    if (row < end) return false;
    end = afterSubtree(tree, row);
    return true;
  });
}

/** Returns the number of dates before each row. */
function countDates(tree: PageTree): Int32Array {
  return countBefore(tree, (row) => {
    const text = tree.text[row] ?? '';
    // Most texts have no digit. This check is faster than the pattern.
    if (text !== '') return text.length <= MAX_DATE_CHARS && /\d/.test(text) && dateText.test(text);
    if (tree.tag[row] === 'time') return true;
    const own = tree.attributes[row];
    return own !== undefined && (own.datetime !== undefined || own.itemprop?.startsWith('date') === true);
  });
}

/**
 * Returns the number of headings before each row that lead to another page, as in lists of articles. A post's author
 * may be one too.
 */
function countTeaserTitles(tree: PageTree): Int32Array {
  let end = 0;
  return countBefore(tree, (row) => {
    const tag = tree.tag[row] ?? '';
    if (headingLevels.has(tag) && textOf(tree, row).length > MAX_NAME_CHARS) end = afterSubtree(tree, row);
    const href = tag === 'a' && row < end ? tree.attributes[row]?.href : undefined;
    return href !== undefined && !href.includes('#');
  });
}

function countBefore(tree: PageTree, test: (row: number) => boolean): Int32Array {
  const counts = new Int32Array(tree.tag.length + 1);
  for (let row = 0; row < tree.tag.length; row++) counts[row + 1] = (counts[row] ?? 0) + (test(row) ? 1 : 0);
  return counts;
}

/** Returns whether most posts have a distinct label near their start, such as the author's name. */
function areNamed(tree: PageTree, posts: readonly number[]): boolean {
  const labels = posts.map((row) => labelsOf(tree, row));
  const uses = new Map<string, number>();
  for (const label of labels.flatMap((own) => [...own])) uses.set(label, (uses.get(label) ?? 0) + 1);
  const isOwn = (label: string): boolean => (uses.get(label) ?? 0) <= MAX_SHARED_LABEL * posts.length;
  return labels.filter((own) => [...own].some(isOwn)).length >= MIN_POST_SHARE * posts.length;
}

function labelsOf(tree: PageTree, post: number): Set<string> {
  const labels = new Set<string>();
  let texts = 0;
  for (let row = post; row < afterSubtree(tree, post) && texts < MAX_LABELS; row++) {
    const text = (tree.text[row] ?? '').trim();
    if (text === '') continue;
    texts += 1;
    if (text.length <= MAX_LABEL_CHARS && /\p{L}/u.test(text) && !dateText.test(text)) labels.add(text);
  }
  return labels;
}

function commonAncestor(tree: PageTree, first: number, last: number): number {
  if (first === last) return first;
  for (const above of ancestorsOf(tree, first)) if (afterSubtree(tree, above) > last) return above;
  return 0;
}

/** Extends the root to the title if there is prose between the title and the posts. */
function withOpening(tree: PageTree, weights: TextWeights, posts: readonly number[], around: number): Thread {
  const [first = around] = posts;
  const title = titleBefore(tree, first);
  if (title < 0) return { posts, root: around, start: around };
  if (title > around) return { posts, root: around, start: title };
  const root = commonAncestor(tree, title, first);
  for (let row = afterSubtree(tree, title); row < around; row++) {
    const isBeside = afterSubtree(tree, row) <= around;
    if (isBeside && (weights.prose[row] ?? 0) >= MIN_AVERAGE_PROSE) return { posts, root, start: title };
  }
  return { posts, root: around, start: around };
}

/** Returns the last heading before a row that repeats the page's title, or -1. */
function titleBefore(tree: PageTree, end: number): number {
  for (let row = end; row > 0; row--) {
    if (!headingLevels.has(tree.tag[row] ?? '')) continue;
    const heading = textOf(tree, row);
    if (knownTitles(tree).some((title) => repeatsTitle(heading, title))) return row;
  }
  return -1;
}

/** Returns whether a post begins in the rows from `from` to `to` (exclusive). */
export function holdsPost(thread: Thread | null, from: number, to: number): boolean {
  if (thread === null) return false;
  let [low, high] = [0, thread.posts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((thread.posts[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return (thread.posts[low] ?? Infinity) < to;
}

/** Drops text inside the root that does not belong to the thread: before its title and after its last post. */
export function dropBesideThread(tree: PageTree, { posts, root, start }: Thread, dropped: Uint8Array): void {
  const end = afterSubtree(tree, posts.at(-1) ?? root);
  for (let row = root + 1; row < afterSubtree(tree, root); row++) {
    const isBefore = afterSubtree(tree, row) <= start;
    if (!isBefore && row < end) continue;
    dropped[row] = 1;
    row = afterSubtree(tree, row) - 1;
  }
}
