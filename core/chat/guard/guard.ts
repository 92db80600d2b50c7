import { readBracket, readExclamation } from './brackets.js';
import { newCodeState, readCode, readFenced } from './code.js';
import { readAngle } from './html.js';
import { createOutput, type Piece } from './output.js';
import type { Reading, Step } from './step.js';
import { readUrl, urlStart } from './urls.js';

/*
 * A document may have dictated what a model writes. So an answer shows no link that no source has, no image,
 * and no number of a source that was not sent. It is guarded while it is written: what has been shown stays,
 * and only a construct whose end is not there yet is held back.
 */

export interface GuardRules {
  /** Whether a source of this number was sent. */
  isSource(number: string): boolean;
  isKnownUrl(url: string): boolean;
}

export interface Guard {
  /** What may be shown, now that this has been written. However the text is cut, the pieces together are the same. */
  push(text: string): Piece[];
  /** The rest. */
  end(): Piece[];
}

/** Most that is held back, in UTF-8 bytes: what has not ended by then is no construct. */
const HELD_BYTES = 2048;

const encoder = new TextEncoder();
const measure = new Uint8Array(HELD_BYTES);

/** As much of the text as may be held back. */
const held = (text: string): string =>
  text.length * 3 <= HELD_BYTES ? text : text.slice(0, encoder.encodeInto(text, measure).read);

/** Without what neither people nor Markdown can read; one form of line end. */
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

  /** Reads until the end, or to where more is needed; returns what is left. */
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

/** An escaped sign is none. Angle brackets are not escaped in HTML. */
function readEscape({ text, final, out }: Reading): Step {
  if (text.length === 1 && !final) return 'more';
  const pair = /^\\[!-/:;=-@[-`{-~]/.exec(text)?.[0] ?? '\\';
  out.literal(pair);
  return { read: pair.length };
}

/** Character references of HTML for the signs of a URL. */
const reference = /^&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(period|colon|sol));/i;
const unfinishedReference = /^&#?\w{0,7}$/;
const named: Readonly<Record<string, string>> = { period: '.', colon: ':', sol: '/' };

/** Reads a reference to a sign of a URL as that sign, because some readers decode references before they make links. */
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

/** Letters and digits, or one other sign. */
function readWord({ text, out }: Reading): Step {
  const word = /^(?:[a-z0-9]+|[\u0080-\uffff]+|.)/is.exec(text)?.[0] ?? text;
  out.literal(word);
  return { read: word.length };
}
