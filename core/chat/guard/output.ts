/**
 * What a guarded answer consists of: text that may be shown, and before a citation its number with what
 * it is said to prove.
 */
export type Piece = string | { source: string; claim: string };

/** How much of a line is looked at, and of the text before a marker; in UTF-16 units. */
const LINE = 2048;
const CLAIM = 1200;

/**
 * Takes guarded text. Remembers what has been written, for the rules that look back: pieces that are harmless
 * by themselves must not form a link or an image together.
 */
export interface Output {
  /** Text as the model wrote it. A blank is put between when it would make a construct with the text before. */
  literal(text: string): void;
  /** A construct that has been checked: stays as it is. */
  checked(text: string): void;
  /** A known URL in running text. What follows directly is kept apart, or it would be taken for a part of it. */
  url(text: string): void;
  marker(source: string): void;
  /** A blank that an unknown marker takes with it. */
  blank(text: string): void;
  dropBlank(): void;
  /** The line so far, its beginning if it is long. */
  line(): string;
  /** Whether a letter or digit of ASCII was written last. */
  afterWord(): boolean;
  /** All that was written since the last call; a blank that is held back stays. */
  take(): Piece[];
  /** Nothing follows: no blank is held back. */
  end(): void;
}

/** How a text ends that must not be followed at once by what begins so. */
const seams: readonly [before: RegExp, after: RegExp][] = [
  [/\]$/, /^\(/],
  [/!$/, /^\[/],
  [/<$/, /^[a-z/!?]/i],
  [/`$/, /^`/],
  [/\[\d+$/, /^\]/],
  [/~$/, /^~/],
  [/(?<![a-z0-9])www\.$/i, /^[^\s<]/],
  // Some readers remove backslashes before they make links.
  [/(?:(?<![a-z0-9])www|(?:https?|ftp)(?::\/?)?)$/i, /^\\[.:/]/],
];
const schemes = /(?:https?|ftp):\/\/|(?<![a-z0-9])www\./gi;
/** What may stand between a URL and a blank without being taken for a part of it. */
const afterUrl = /^[?!.,:;*_~'")\]]*/;
/** How far rules look back, in UTF-16 units. */
const TAIL = 24;

/** A label at the beginning of a line, which a colon would make a definition of a link. */
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
  /** The text with a blank where it would go on with a URL; signs that end a sentence do not. */
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
