import { type CheerioOptions, load } from 'cheerio';
import { limitDepth } from './limit-depth.js';
import { headingLevels, silentTags } from './tag-sets.js';

type Root = NonNullable<ReturnType<ReturnType<typeof load>['root']>[0]>;
type DomNode = Root['children'][number];
export type DomElement = Extract<DomNode, { attribs: unknown }>;

/**
 * A page as a table in document order: the subtree of row i is the rows i..end[i]-1. Everything after parsing
 * walks this table with loops, so no depth of nesting can exhaust the stack. Row 0 stands for the document.
 */
export interface PageTree {
  /** Lower-case element name, '' for text. */
  tag: string[];
  /** Text of text rows, '' otherwise. */
  text: string[];
  attributes: Readonly<Record<string, string>>[];
  parent: Int32Array;
  end: Int32Array;
  /** Rows right above something that a visitor fills in or presses. */
  fields: ReadonlySet<number>;
  /** What the head says. */
  head: PageHead;
}

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

/** Tag of row 0. */
export const documentTag = '#document';
const fieldTags: ReadonlySet<string> = new Set(['input', 'textarea', 'select', 'button']);
const noAttributes = Object.freeze({});
const MAX_TITLE_CHARS = 2_000;
const MAX_JSON_LD_BLOCKS = 32;
const MAX_STATE_BLOCKS = 8;
const MAX_STATE_CHARS = 2_000_000;
/** `window.__STATE__ = {…`: the start of the value. */
const assignedState = /^\s*(?:window|self|globalThis)\s*(?:\.\s*__\w+|\[\s*["']__\w+["']\s*\])\s*=\s*([[{(])/;
/** parse5 looks through its stack of open elements: too slow where nesting is absurd. */
const MAX_REPAIR_DEPTH = 400;
const MAX_REPAIR_CHARS = 4_000_000;

const fast: CheerioOptions = { xml: { xmlMode: false, decodeEntities: true, recognizeSelfClosing: false } };
const exact: CheerioOptions = { scriptingEnabled: false };

/** Parses HTML. Forgiving and fast first; by the standard's own rules where the markup is visibly broken. */
export function parsePage(html: string): PageTree {
  const { tree, depth, broken } = flatten(rootOf(html, fast));
  if (!broken || depth > MAX_REPAIR_DEPTH || html.length > MAX_REPAIR_CHARS) return tree;
  return flatten(rootOf(html, exact)).tree;
}

function rootOf(source: string, options: CheerioOptions): Root | undefined {
  return load(limitDepth(source), options).root()[0];
}

/** All elements of a document in order, without recursion. XML keeps the case of names. */
export function* elementsOf(source: string, kind: 'html' | 'xml'): Generator<DomElement> {
  const root = rootOf(source, kind === 'html' ? fast : { xml: { xmlMode: true, decodeEntities: true } });
  for (let node: DomNode | null = root?.children[0] ?? null; node !== null; ) {
    if (isElement(node)) yield node;
    let next: DomNode | null = isElement(node) ? (node.children[0] ?? null) : null;
    for (let at: DomNode | null = node; next === null && at !== null; ) {
      next = at.next;
      const above: DomElement['parent'] = at.parent;
      at = above !== null && above.type !== 'root' ? above : null;
    }
    node = next;
  }
}

/** The text below an element; line breaks as newlines. */
export function textWithin(element: DomElement): string {
  const parts: string[] = [];
  const stack: DomNode[] = [element];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'text') parts.push(node.data);
    else if ('children' in node) {
      if (isElement(node) && /^(?:\w+:)?br$/i.test(node.name)) parts.push('\n');
      for (let i = node.children.length - 1; i >= 0; i--) {
        const child = node.children[i];
        if (child !== undefined) stack.push(child);
      }
    }
  }
  return parts.join('');
}

const isElement = (node: DomNode): node is DomElement => 'attribs' in node;

/** What browsers show though elements of the kind are mostly unseen. */
function isShown(name: string, attribs: Readonly<Record<string, string>>): boolean {
  return (
    (name === 'dialog' && attribs.open !== undefined) ||
    (name === 'template' && (attribs.shadowrootmode ?? attribs.shadowroot) === 'open')
  );
}

function textBelow(node: DomElement): string {
  return node.children.map((child) => (child.type === 'text' ? child.data : '')).join('');
}

function readHead(head: PageHead, name: string, node: DomElement, parentName: string): void {
  if (name === 'title') {
    if (head.title === '' && parentName !== 'svg')
      head.title = textBelow(node).trim().slice(0, MAX_TITLE_CHARS);
  } else if (name === 'meta') {
    const key =
      node.attribs.property ?? node.attribs.name ?? node.attribs.itemprop ?? node.attribs['http-equiv'];
    const content = node.attribs.content;
    if (key === undefined || content === undefined) return;
    const lower = key.trim().toLowerCase();
    if (!head.meta.has(lower)) head.meta.set(lower, content);
  } else if (name === 'input') {
    if (node.attribs.type?.toLowerCase() === 'password') head.hasPasswordField = true;
  } else if (name === 'script') {
    const type = node.attribs.type ?? '';
    if (/ld\+json/i.test(type)) {
      if (head.jsonLd.length < MAX_JSON_LD_BLOCKS) head.jsonLd.push(textBelow(node));
    } else if (head.state.length < MAX_STATE_BLOCKS) {
      const code = textBelow(node);
      const from = /^application\/json/i.test(type) ? 0 : startOfState(code);
      if (from >= 0 && code.length <= MAX_STATE_CHARS) head.state.push(code.slice(from));
    }
  }
}

/** Where the value begins that a script assigns to a state; -1 when it assigns none. */
function startOfState(code: string): number {
  const match = assignedState.exec(code.slice(0, 200));
  return match === null ? -1 : match[0].length - 1;
}

function flatten(root: Root | undefined): { tree: PageTree; depth: number; broken: boolean } {
  const tag: string[] = [];
  const text: string[] = [];
  const attributes: Readonly<Record<string, string>>[] = [];
  const parents: number[] = [];
  const ends: number[] = [];
  const fields = new Set<number>();
  const head: PageHead = {
    title: '',
    meta: new Map(),
    htmlLanguage: '',
    jsonLd: [],
    state: [],
    hasPasswordField: false,
  };
  const open: { row: number; next: DomNode | null; name: string }[] = [];
  let node: DomNode | null = root?.children[0] ?? null;
  let parent = -1;
  push(documentTag, '', noAttributes);
  ends.push(0);
  parent = 0;
  let parentName = '';
  let depth = 0;
  let links = 0;
  let headings = 0;
  let broken = false;

  for (;;) {
    if (node === null) {
      const closed = open.pop();
      if (closed === undefined) break;
      ends[closed.row] = tag.length;
      if (closed.name === 'a') links--;
      else if (headingLevels.has(closed.name)) headings--;
      parent = parents[closed.row] ?? 0;
      parentName = open.at(-1)?.name ?? '';
      node = closed.next;
      continue;
    }
    if (node.type === 'text') {
      push('', node.data, noAttributes);
      ends.push(tag.length);
    } else if (isElement(node)) {
      const name = node.name.toLowerCase();
      if (name === 'html' && head.htmlLanguage === '') {
        head.htmlLanguage = node.attribs.lang ?? node.attribs['xml:lang'] ?? '';
      }
      readHead(head, name, node, parentName);
      if (fieldTags.has(name) && node.attribs.type?.toLowerCase() !== 'hidden') fields.add(parent);
      const silent = silentTags.has(name) && !isShown(name, node.attribs);
      if (!silent) {
        if (name === 'a' && links > 0) broken = true;
        if (headingLevels.has(name) && headings > 0) broken = true;
        push(name, '', node.attribs);
        ends.push(tag.length);
        const first: DomNode | undefined = node.children[0];
        if (first !== undefined) {
          if (name === 'a') links++;
          else if (headingLevels.has(name)) headings++;
          open.push({ row: tag.length - 1, next: node.next, name });
          depth = Math.max(depth, open.length);
          parent = tag.length - 1;
          parentName = name;
          node = first;
          continue;
        }
      } else if (name === 'svg' || name === 'head') {
        parentName = '';
      }
    }
    node = node.next;
  }
  ends[0] = tag.length;
  const tree = {
    tag,
    text,
    attributes,
    parent: Int32Array.from(parents),
    end: Int32Array.from(ends),
    fields,
    head,
  };
  return { tree, depth, broken };

  function push(name: string, data: string, values: Readonly<Record<string, string>>): void {
    tag.push(name);
    text.push(data);
    attributes.push(values);
    parents.push(parent);
  }
}
