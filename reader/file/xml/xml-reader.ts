import { ExtractError } from '../../extract-error.js';
import type { ExtractLimits } from '../limits.js';
import { createAttributes, type XmlAttributes } from './attributes.js';
import { decodeEntities } from './entities.js';
import { emptyScope, extendScope, type NamespaceScope } from './namespaces.js';

/** Handles parser events. Names have the canonical prefixes of namespaces.ts, regardless of the document's prefixes. */
export interface XmlHandler {
  open?(name: string, attributes: XmlAttributes): void;
  close?(name: string): void;
  /** May be called several times for one text node. */
  text?(text: string): void;
}

export interface XmlReader {
  write(chunk: string): void;
  end(): void;
}

type XmlLimits = Pick<ExtractLimits, 'xmlDepth' | 'xmlTokenLength'>;

interface OpenElement {
  raw: string;
  name: string;
  outer: NamespaceScope;
}

const illFormed = () => new ExtractError('FILE_UNPARSABLE');

/** Maximum length of a reference that may be split between chunks. */
const MAX_REFERENCE_CHARS = 72;

/**
 * Event-based reader for XML 1.0 that keeps only one tag and the open elements in memory. Reads no DTD and expands no
 * entity. `write` and `end` throw FILE_UNPARSABLE for ill-formed XML, and FILE_TOO_COMPLEX above the limits.
 */
export function createXmlReader(handler: XmlHandler, limits: XmlLimits): XmlReader {
  const stack: OpenElement[] = [];
  const names = new Map<string, string>();
  let scope = emptyScope;
  let rest = '';
  let rootSeen = false;

  const canonical = (raw: string): string => {
    const known = names.get(raw);
    if (known !== undefined) return known;
    if (!/^[\p{L}_:][^<>&'"=]*$/u.test(raw)) throw illFormed();
    const colon = raw.indexOf(':');
    const prefix = scope.get(colon < 0 ? '' : raw.slice(0, colon));
    const name = prefix === undefined ? raw : `${prefix}:${raw.slice(colon + 1)}`;
    names.set(raw, name);
    return name;
  };

  function setScope(next: NamespaceScope): void {
    if (next === scope) return;
    scope = next;
    names.clear();
  }

  function close(raw: string): void {
    const element = stack.pop();
    if (element?.raw !== raw) throw illFormed();
    handler.close?.(element.name);
    setScope(element.outer);
  }

  function open(tag: string): void {
    const selfClosing = tag.endsWith('/');
    const body = selfClosing ? tag.slice(0, -1) : tag;
    const end = firstBlank(body);
    const raw = end < 0 ? body : body.slice(0, end);
    if (rootSeen && stack.length === 0) throw illFormed();
    rootSeen = true;
    const outer = scope;
    const attributeText = end < 0 ? '' : body.slice(end);
    if (attributeText.includes('xmlns')) {
      setScope(extendScope(scope, createAttributes(attributeText, emptyScope).namespaces()));
    }
    const name = canonical(raw);
    stack.push({ raw, name, outer });
    if (stack.length > limits.xmlDepth) throw new ExtractError('FILE_TOO_COMPLEX');
    handler.open?.(name, createAttributes(attributeText, scope));
    if (selfClosing) close(raw);
  }

  function text(raw: string): void {
    if (raw === '') return;
    if (stack.length > 0) handler.text?.(decodeEntities(raw));
    else if (/[^\s\u{FEFF}]/u.test(raw)) throw illFormed();
  }

  /** Handles the markup at `at`. Returns the position after it, or -1 if it is incomplete. */
  function markup(source: string, at: number): number {
    const next = source[at + 1];
    if (next === undefined) return -1;
    if (next === '!') return declaration(source, at);
    if (next === '?') {
      const end = source.indexOf('?>', at + 2);
      return end < 0 ? -1 : end + 2;
    }
    const end = tagEnd(source, at + 1);
    if (end < 0) return -1;
    if (next === '/') close(source.slice(at + 2, end).trim());
    else open(source.slice(at + 1, end));
    return end + 1;
  }

  function declaration(source: string, at: number): number {
    if (source.startsWith('<!--', at)) {
      const end = source.indexOf('-->', at + 4);
      return end < 0 ? -1 : end + 3;
    }
    if (source.startsWith('<![CDATA[', at)) {
      const end = source.indexOf(']]>', at + 9);
      if (end >= 0 && stack.length > 0) handler.text?.(source.slice(at + 9, end));
      return end < 0 ? -1 : end + 3;
    }
    return source.length - at < 9 ? -1 : doctypeEnd(source, at);
  }

  function consume(final: boolean): void {
    let at = 0;
    while (at < rest.length) {
      const mark = rest.indexOf('<', at);
      if (mark < 0) {
        const cut = final ? rest.length : safeTextEnd(rest, at);
        text(rest.slice(at, cut));
        at = cut;
        break;
      }
      text(rest.slice(at, mark));
      at = mark;
      const after = markup(rest, mark);
      if (after < 0) break;
      at = after;
    }
    rest = rest.slice(at);
    if (rest.length > limits.xmlTokenLength) throw new ExtractError('FILE_TOO_COMPLEX');
  }

  return {
    write(chunk) {
      rest += chunk;
      consume(false);
    },
    end() {
      consume(true);
      if (rest !== '' || stack.length > 0 || !rootSeen) throw illFormed();
    },
  };
}

function firstBlank(text: string): number {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) <= 0x20) return i;
  return -1;
}

/** Finds the `>` of a tag, ignoring quoted values. */
function tagEnd(source: string, from: number): number {
  let end = source.indexOf('>', from);
  let quote = nextQuote(source, from);
  while (quote >= 0 && end >= 0 && quote < end) {
    const closing = source.indexOf(source[quote] === '"' ? '"' : "'", quote + 1);
    if (closing < 0) return -1;
    if (closing > end) end = source.indexOf('>', closing);
    quote = nextQuote(source, closing + 1, end);
  }
  return end;
}

function nextQuote(source: string, from: number, to = source.length): number {
  for (let i = from; i < to; i++) {
    const code = source.charCodeAt(i);
    if (code === 0x22 || code === 0x27) return i;
    if (code === 0x3e) return -1;
  }
  return -1;
}

/** Skips a document type declaration with its internal subset. */
function doctypeEnd(source: string, at: number): number {
  let brackets = 0;
  let quote = '';
  for (let i = at + 2; i < source.length; i++) {
    const char = source[i] ?? '';
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '[') brackets++;
    else if (char === ']') brackets--;
    else if (char === '>' && brackets <= 0) return i + 1;
  }
  return -1;
}

/** Returns the end of the text, excluding a reference that may be split. */
function safeTextEnd(source: string, from: number): number {
  const ampersand = source.lastIndexOf('&');
  const open = ampersand >= from && source.indexOf(';', ampersand) < 0;
  return open && source.length - ampersand < MAX_REFERENCE_CHARS ? ampersand : source.length;
}
