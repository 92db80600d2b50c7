import type { Attributes } from './attributes.js';

/** Metadata of a page. */
export interface PageHead {
  /** Text of the first title element outside of graphics. */
  title: string;
  /**
   * Maps `name`, `property`, `itemprop` or `http-equiv` (lower case) to the content. If a name occurs several times,
   * the first counts.
   */
  meta: Map<string, string>;
  htmlLanguage: string;
  jsonLd: string[];
  /** Raw JSON state from which a framework renders the page in the browser. */
  state: string[];
  /** Item types declared in attributes (https://schema.org), one per item, without the vocabulary. */
  itemTypes: string[];
  /** True if the page has a password field. */
  hasPasswordField: boolean;
}

const MAX_TITLE_CHARS = 2_000;
const MAX_ITEM_TYPES = 200;
const MAX_JSON_LD_BLOCKS = 32;
const MAX_STATE_BLOCKS = 8;
const MAX_STATE_CHARS = 2_000_000;
/** Matches `window.__STATE__ = {…` up to the start of the value. */
const assignedState = /^\s*(?:window|self|globalThis)\s*(?:\.\s*__\w+|\[\s*["']__\w+["']\s*\])\s*=\s*([[{(])/;

/** Adds the metadata of an invisible element. `text` is its direct text. */
export function readHead(head: PageHead, name: string, attributes: Attributes, text: string): void {
  if (name === 'title') {
    if (head.title === '') head.title = text.trim().slice(0, MAX_TITLE_CHARS);
  } else if (name === 'meta') {
    const key = attributes.property ?? attributes.name ?? attributes.itemprop ?? attributes['http-equiv'];
    const content = attributes.content;
    if (key === undefined || content === undefined) return;
    const lower = key.trim().toLowerCase();
    if (!head.meta.has(lower)) head.meta.set(lower, content);
  } else if (name === 'input') {
    if (attributes.type?.toLowerCase() === 'password') head.hasPasswordField = true;
  } else if (name === 'script') readScript(head, attributes.type ?? '', text);
}

/** Adds the item type of an element. Any element may declare one. */
export function readItemType(head: PageHead, itemtype: string): void {
  const type = /[^/#]+$/.exec(itemtype.slice(0, 200).trim())?.[0];
  if (type !== undefined && head.itemTypes.length < MAX_ITEM_TYPES) head.itemTypes.push(type);
}

function readScript(head: PageHead, type: string, code: string): void {
  if (/ld\+json/i.test(type)) {
    if (head.jsonLd.length < MAX_JSON_LD_BLOCKS) head.jsonLd.push(code);
  } else if (head.state.length < MAX_STATE_BLOCKS) {
    const from = /^application\/json/i.test(type) ? 0 : startOfState(code);
    if (from >= 0 && code.length <= MAX_STATE_CHARS) head.state.push(code.slice(from));
  }
}

/** Returns the offset of the value that a script assigns to a state, or -1. */
function startOfState(code: string): number {
  const match = assignedState.exec(code.slice(0, 200));
  return match === null ? -1 : match[0].length - 1;
}
