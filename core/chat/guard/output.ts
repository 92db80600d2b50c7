/**
 * A piece of a guarded answer: text to show, or a source's number with the claim that it supports, which precedes
 * the marker's text.
 */
export type Piece = string | { source: string; claim: string };

/** UTF-16 units to keep of the current line, and of the text before a marker. */
const LINE = 2048;
const CLAIM = 1200;

/** Collects guarded text. Compares each piece with the end of the text, because two harmless pieces may form a link. */
export interface Output {
  /** Unchecked text. A space is inserted if it would form a construct with the preceding text. */
  literal(text: string): void;
  /** A checked construct, written unchanged. */
  checked(text: string): void;
  /** A known URL in running text. It is separated from the following text, which would otherwise extend it. */
  url(text: string): void;
  marker(source: string): void;
  /** A space that is dropped if an unknown marker follows. */
  blank(text: string): void;
  dropBlank(): void;
  /** The current line, or its start if it is long. */
  line(): string;
  /** Whether the last character is an ASCII letter or digit. */
  afterWord(): boolean;
  /** Returns the text since the last call, except a space that is held back. */
  take(): Piece[];
  /** Flushes a held-back space. */
  end(): void;
}

/** Text endings and beginnings that must not be adjacent. */
const seams: readonly [before: RegExp, after: RegExp][] = [
  [/\]$/, /^\(/],
  [/!$/, /^\[/],
  [/<$/, /^[a-z/!?]/i],
  [/`$/, /^`/],
  [/\[\d+$/, /^\]/],
  [/~$/, /^~/],
  [/(?<![a-z0-9])www\.$/i, /^[^\s<]/],
  // Some renderers remove backslashes before they detect links.
  [/(?:(?<![a-z0-9])www|(?:https?|ftp)(?::\/?)?)$/i, /^\\[.:/]/],
];
const schemes = /(?:https?|ftp):\/\/|(?<![a-z0-9])www\./gi;
/** Characters after a URL that renderers do not include in it. */
const afterUrl = /^[?!.,:;*_~'")\]]*/;
/** UTF-16 units of the end of the text that the rules for seams compare. */
const TAIL = 24;

/** A label at the start of a line; a colon would make it a link definition. */
const labelLine = /^[\s>*+\-\d.)]*\[[^\]]*\]$/;

export function createOutput(): Output {
  let pieces: Piece[] = [];
  let tail = '';
  let line = '';
  let held = '';
  let sinceMarker = '';
  let claim = '';
  let behindUrl = false;

  function write(text: string): void {
    if (text === '') return;
    const last = pieces.at(-1);
    if (typeof last === 'string') pieces[pieces.length - 1] = last + text;
    else pieces.push(text);
    tail = (tail + text).slice(-TAIL);
    const newline = text.lastIndexOf('\n');
    line = (newline < 0 ? line + text : text.slice(newline + 1)).slice(0, LINE);
    sinceMarker = (sinceMarker + text).slice(-CLAIM);
  }
  function flush(): void {
    write(apart(held));
    held = '';
  }
  /** Inserts a space before text that would extend the URL; sentence punctuation does not. */
  function apart(text: string): string {
    if (!behindUrl) return text;
    const signs = afterUrl.exec(text)?.[0] ?? '';
    if (signs === text) return text;
    behindUrl = false;
    const next = text.slice(signs.length);
    return /^[\s<]/.test(next) ? text : `${signs} ${next}`;
  }
  function joins(text: string): boolean {
    if (seams.some(([before, after]) => before.test(tail) && after.test(text))) return true;
    if (text.startsWith(':') && labelLine.test(line)) return true;
    for (const { 0: found, index } of (tail + text.slice(0, TAIL)).matchAll(schemes))
      if (index < tail.length && index + found.length > tail.length) return true;
    return false;
  }

  return {
    literal(text) {
      if (text === '') return;
      flush();
      write(apart(joins(text) ? ` ${text}` : text));
    },
    checked(text) {
      flush();
      write(apart(text));
    },
    url(text) {
      flush();
      write(apart(text));
      behindUrl = true;
    },
    marker(source) {
      flush();
      if (/[\p{L}\p{N}]/u.test(sinceMarker)) claim = sinceMarker.trim();
      pieces.push({ source, claim });
      write(apart(`[${source}]`));
      sinceMarker = '';
    },
    blank(text) {
      flush();
      held = text;
    },
    dropBlank() {
      held = '';
    },
    line: () => line + held,
    afterWord: () => held === '' && /[a-z0-9]$/i.test(tail),
    end: flush,
    take() {
      const taken = pieces;
      pieces = [];
      return taken;
    },
  };
}
