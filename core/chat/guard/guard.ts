import { readBracket, readExclamation } from './brackets.js';
import { newCodeState, readCode, readFenced } from './code.js';
import { readAngle } from './html.js';
import { createOutput, type Piece } from './output.js';
import type { Reading, Step } from './step.js';
import { readUrl, urlStart } from './urls.js';

/*
 * A document may have dictated the model's text. So an answer shows no links that are absent from the sources, no
 * images, and no unknown source numbers. The text is guarded while it streams: shown text is final, and only
 * incomplete constructs are held back.
 */

export interface GuardRules {
  /** Whether a source with this number was sent. */
  isSource(number: string): boolean;
  isKnownUrl(url: string): boolean;
}

export interface Guard {
  /** Returns the text that may be shown now. The result does not depend on how the input is split. */
  push(text: string): Piece[];
  /** Returns the remaining text. */
  end(): Piece[];
}

/** Maximum lookahead in UTF-8 bytes. Longer constructs are treated as plain text. */
const HELD_BYTES = 2048;

const encoder = new TextEncoder();
const measure = new Uint8Array(HELD_BYTES);

/** Limits a text to the lookahead. */
const held = (text: string): string =>
  text.length * 3 <= HELD_BYTES ? text : text.slice(0, encoder.encodeInto(text, measure).read);

/** Removes control characters and normalises line ends. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are meant
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');

export function createGuard(rules: GuardRules): Guard {
  const out = createOutput();
  const code = newCodeState();
  let incoming = '';
  let pending = '';

  /** Reads until the end or until more input is needed; returns the unread text. */
  function read(all: string, final: boolean): string {
    let text = all;
    while (text !== '') {
      const window = held(text);
      const reading: Reading = { ...rules, text: window, final: final && window === text, out, code };
      let step = next(reading);
      if (step === 'more' && window.length < text.length) step = next({ ...reading, final: true });
      if (step === 'more') return text;
      text = (step.again ?? '') + text.slice(step.read);
    }
    return '';
  }

  function next(reading: Reading): Step {
    const { text } = reading;
    if (code.fence !== null) return readFenced(reading);
    const sign = text[0] ?? '';
    if (sign === '[') return readBracket(reading, (words) => void read(words, true));
    const reader = readers[sign];
    if (reader !== undefined) return reader(reading);
    return urlStart.test(text) && !out.afterWord() ? readUrl(reading) : readWord(reading);
  }

  return {
    push(more) {
      incoming += more;
      const whole = /[\r\ud800-\udbff]$/.test(incoming) ? incoming.slice(0, -1) : incoming;
      incoming = incoming.slice(whole.length);
      pending = read(pending + plain(whole), false);
      return out.take();
    },
    end() {
      read(pending + plain(incoming), true);
      out.end();
      return out.take();
    },
  };
}

const readers: Readonly<Record<string, ((reading: Reading) => Step) | undefined>> = {
  '!': readExclamation,
  '&': readReference,
  '<': readAngle,
  '`': readCode,
  '~': readCode,
  '\\': readEscape,
  '\n': readLineEnd,
  ' ': readBlank,
  '\t': readBlank,
};

/** Reads an escaped character. In HTML, angle brackets cannot be escaped. */
function readEscape({ text, final, out }: Reading): Step {
  if (text.length === 1 && !final) return 'more';
  const pair = /^\\[!-/:;=-@[-`{-~]/.exec(text)?.[0] ?? '\\';
  out.literal(pair);
  return { read: pair.length };
}

/** HTML character references for the characters of a URL. */
const reference = /^&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(period|colon|sol));/i;
const unfinishedReference = /^&#?\w{0,7}$/;
const named: Readonly<Record<string, string>> = { period: '.', colon: ':', sol: '/' };

/** Decodes a reference to a character of a URL, because some renderers decode references before they detect links. */
function readReference({ text, final, out }: Reading): Step {
  if (unfinishedReference.test(text) && !final) return 'more';
  const [whole = '', decimal, hex, name = ''] = reference.exec(text) ?? [];
  const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal);
  const sign = named[name.toLowerCase()] ?? String.fromCharCode(code);
  if (/[a-z0-9.:/]/i.test(sign)) return { read: whole.length, again: sign };
  out.literal('&');
  return { read: 1 };
}

function readLineEnd({ out, code }: Reading): Step {
  if (out.line().trim() === '') code.spansTrusted = true;
  out.literal('\n');
  return { read: 1 };
}

function readBlank({ text, out }: Reading): Step {
  out.blank(text[0] ?? '');
  return { read: 1 };
}

/** Reads letters and digits, or one other character. */
function readWord({ text, out }: Reading): Step {
  const word = /^(?:[a-z0-9]+|[\u0080-\uffff]+|.)/is.exec(text)?.[0] ?? text;
  out.literal(word);
  return { read: word.length };
}
