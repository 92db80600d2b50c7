import type { Attributes } from './attributes.js';

/** What a page says about itself where readers do not see it. */
export interface PageHead {
  /** Text of the first title element outside of graphics. */
  title: string;
  /** `name`, `property`, `itemprop` or `http-equiv` (lower case) to content; the first one counts. */
  meta: Map<string, string>;
  htmlLanguage: string;
  /** Raw JSON-LD blocks. */
  jsonLd: string[];
  /** Raw JSON that a framework builds the page from in the browser. */
  state: string[];
  /** The page asks for a password somewhere. */
  hasPasswordField: boolean;
}

const MAX_TITLE_CHARS = 2_000;
const MAX_JSON_LD_BLOCKS = 32;
const MAX_STATE_BLOCKS = 8;
const MAX_STATE_CHARS = 2_000_000;
/** `window.__STATE__ = {…`: the start of the value. */
const assignedState = /^\s*(?:window|self|globalThis)\s*(?:\.\s*__\w+|\[\s*["']__\w+["']\s*\])\s*=\s*([[{(])/;

/** Adds what an unseen element says about the page. `text` is what stands right in it. */
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

function readScript(head: PageHead, type: string, code: string): void {
  if (/ld\+json/i.test(type)) {
    if (head.jsonLd.length < MAX_JSON_LD_BLOCKS) head.jsonLd.push(code);
  } else if (head.state.length < MAX_STATE_BLOCKS) {
    const from = /^application\/json/i.test(type) ? 0 : startOfState(code);
    if (from >= 0 && code.length <= MAX_STATE_CHARS) head.state.push(code.slice(from));
  }
}

/** Where the value begins that a script assigns to a state; -1 when it assigns none. */
function startOfState(code: string): number {
  const match = assignedState.exec(code.slice(0, 200));
  return match === null ? -1 : match[0].length - 1;
}
