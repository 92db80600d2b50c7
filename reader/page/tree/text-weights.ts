import type { Attributes } from './attributes.js';
import { isContactLink } from './contacts.js';
import { foldBlanks } from './fold-blanks.js';
import { afterSubtree, type PageTree } from './page-tree.js';
import { blockTags, headingLevels } from './tag-sets.js';

/** Amount of text in the subtree of each row, and how much of it looks like content. */
export interface TextWeights {
  /** Characters, with white space collapsed. A CJK character counts as several. */
  chars: Float64Array;
  /** The part of `chars` inside links. */
  linkChars: Float64Array;
  /** Characters in blocks of running text. */
  prose: Float64Array;
  /** Number of blocks of running text with at least one sentence. */
  paragraphs: Int32Array;
  links: Int32Array;
}

/** A CJK character has about as much content as this many letters. */
const CJK_FACTOR = 2.5;
/** Shorter blocks are labels and not sentences. Their weight is reduced. */
const LABEL_CHARS = 25;
const SENTENCE_CHARS = 80;
const LABEL_FACTOR = 0.1;
const PHRASE_FACTOR = 0.6;
/** A block with a larger share of links is a menu entry, a teaser or a tag. */
const MAX_PROSE_LINK_SHARE = 0.5;

const wideRuns = /[\u2e80-\ud7ff]+/g;

// Counts readable characters. A pattern on a slice is several times faster than access by index.
function readableChars(text: string): number {
  const shown = foldBlanks(text.trim());
  let wide = 0;
  for (const run of shown.match(wideRuns) ?? []) wide += run.length;
  return shown.length + (CJK_FACTOR - 1) * wide;
}

function proseWeight(chars: number): number {
  if (chars < LABEL_CHARS) return chars * LABEL_FACTOR;
  return chars < SENTENCE_CHARS ? chars * PHRASE_FACTOR : chars;
}

/** Measures that do not depend on dropped parts. Computed once per page. */
interface Measures {
  chars: Float64Array;
  /** For each row, the block that contains its text. */
  block: Int32Array;
  inLink: Uint8Array;
  /** 1 for rows that contain blocks, otherwise 0. */
  outer: Uint8Array;
}

const measured = new WeakMap<PageTree, Measures>();

/**
 * Returns whether the element is a link. A named anchor is not: old pages leave anchors unclosed around all of their
 * text.
 */
function isLink(tag: string, attributes: Attributes | undefined): boolean {
  return (
    tag === 'a' &&
    !isContactLink(attributes ?? {}) &&
    (attributes?.href !== undefined || (attributes?.name === undefined && attributes?.id === undefined))
  );
}

function measure(tree: PageTree): Measures {
  const known = measured.get(tree);
  if (known !== undefined) return known;
  const size = tree.tag.length;
  const found = {
    chars: new Float64Array(size),
    block: new Int32Array(size),
    inLink: new Uint8Array(size),
    outer: new Uint8Array(size),
  };
  for (let row = 1; row < size; row++) {
    const parent = tree.parent[row] ?? 0;
    const tag = tree.tag[row] ?? '';
    found.inLink[row] = isLink(tag, tree.attributes[row]) || found.inLink[parent] === 1 ? 1 : 0;
    if (tag === '') {
      found.chars[row] = readableChars(tree.text[row] ?? '');
      found.block[row] = found.block[parent] ?? 0;
    } else found.block[row] = blockTags.has(tag) ? row : (found.block[parent] ?? 0);
  }
  for (let row = size - 1; row > 0; row--) {
    if (found.outer[row] === 1 || found.block[row] === row) found.outer[tree.parent[row] ?? 0] = 1;
  }
  measured.set(tree, found);
  return found;
}

/** Computes the weights of every subtree, without dropped rows. */
export function weigh(tree: PageTree, dropped: Uint8Array): TextWeights {
  const size = tree.tag.length;
  const { chars, block, inLink } = measure(tree);
  const weights: TextWeights = {
    chars: new Float64Array(size),
    linkChars: new Float64Array(size),
    prose: new Float64Array(size),
    paragraphs: new Int32Array(size),
    links: new Int32Array(size),
  };
  /** Share of `chars` and `linkChars` in the row's own block. */
  const ownChars = new Float64Array(size);
  const ownLinkChars = new Float64Array(size);
  const gone = new Uint8Array(size);
  for (let row = 0; row < size; row++) {
    if (dropped[row] === 1) {
      const end = afterSubtree(tree, row);
      gone.fill(1, row, end);
      row = end - 1;
      continue;
    }
    const own = chars[row] ?? 0;
    if (own === 0) {
      if (tree.tag[row] === 'a') weights.links[row] = 1;
      continue;
    }
    const owner = block[row] ?? 0;
    const parent = tree.parent[row] ?? 0;
    weights.chars[row] = own;
    weights.chars[parent] = (weights.chars[parent] ?? 0) + own;
    ownChars[owner] = (ownChars[owner] ?? 0) + own;
    if (inLink[row] === 1) {
      weights.linkChars[row] = own;
      weights.linkChars[parent] = (weights.linkChars[parent] ?? 0) + own;
      ownLinkChars[owner] = (ownLinkChars[owner] ?? 0) + own;
    }
  }
  for (let row = size - 1; row >= 0; row--) {
    // Skip texts, which have already been added to their parents.
    if (chars[row] !== 0 || gone[row] === 1) continue;
    addOwnProse(tree, weights, row, ownChars[row] ?? 0, ownLinkChars[row] ?? 0);
    const parent = tree.parent[row] ?? -1;
    if (parent < 0) continue;
    weights.chars[parent] = (weights.chars[parent] ?? 0) + (weights.chars[row] ?? 0);
    weights.linkChars[parent] = (weights.linkChars[parent] ?? 0) + (weights.linkChars[row] ?? 0);
    weights.prose[parent] = (weights.prose[parent] ?? 0) + (weights.prose[row] ?? 0);
    weights.paragraphs[parent] = (weights.paragraphs[parent] ?? 0) + (weights.paragraphs[row] ?? 0);
    weights.links[parent] = (weights.links[parent] ?? 0) + (weights.links[row] ?? 0);
  }
  return weights;
}

/** Adds the row's own text to the prose if it looks like running text. */
function addOwnProse(
  tree: PageTree,
  weights: TextWeights,
  row: number,
  own: number,
  ownLinked: number,
): void {
  if (own === 0 || headingLevels.has(tree.tag[row] ?? '')) return;
  const unlinked = own - ownLinked;
  if (unlinked < own * (1 - MAX_PROSE_LINK_SHARE)) return;
  weights.prose[row] = (weights.prose[row] ?? 0) + proseWeight(unlinked);
  if (unlinked >= SENTENCE_CHARS) weights.paragraphs[row] = (weights.paragraphs[row] ?? 0) + 1;
}

/** Counts the characters below a row as `chars` does, without dropped rows. */
export function charsBelow(tree: PageTree, root: number, dropped: Uint8Array): number {
  const { chars } = measure(tree);
  let sum = 0;
  for (let row = root; row < afterSubtree(tree, root); row++) {
    if (dropped[row] === 1) row = afterSubtree(tree, row) - 1;
    else sum += chars[row] ?? 0;
  }
  return sum;
}

/** Returns the share of a subtree's text inside links, 0 to 1. */
export function linkShare(weights: TextWeights, row: number): number {
  const chars = weights.chars[row] ?? 0;
  return chars === 0 ? 0 : (weights.linkChars[row] ?? 0) / chars;
}

/** Returns whether a row contains blocks. */
export const holdsBlocks = (tree: PageTree, row: number): boolean => measure(tree).outer[row] === 1;
