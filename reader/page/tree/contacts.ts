import type { Attributes } from './attributes.js';

/** Columns of the rows of a link. */
interface Rows {
  tag: readonly string[];
  text: string[];
}

const MAX_CHARS = 200;
/** A longer link is a part of the page. */
const MAX_ROWS = 50;
const placeholder = /^\s*\[[^\]]*\]\s*$/;
/** A text with this many last digits of a telephone number repeats the number. */
const MIN_SAME_DIGITS = 6;

/** Address or number behind a link. */
export interface Contact {
  text: string;
  /** Text that a script would replace; null if the contact is added. */
  replaces: RegExp | null;
}

/** Returns the e-mail address or telephone number of a link, RFC 6068 and RFC 3966; null if it has none. */
export function contactOf(attributes: Attributes): Contact | null {
  const { href = '', 'data-cfemail': encoded } = attributes;
  if (hidesContact(attributes)) {
    const divided = dividedAddress(attributes);
    if (isAddress(divided)) return { text: divided, replaces: null };
  }
  const hidden = encoded ?? /\/email-protection#([\da-f]+)$/i.exec(href.slice(0, 1000))?.[1];
  if (hidden !== undefined) {
    const text = unmasked(hidden).replace(/\?.*/, '');
    // A part that exists only for the address is replaced whatever it says.
    const replaces = encoded === undefined ? placeholder : /^/;
    return isAddress(text) ? { text, replaces } : null;
  }
  const [, scheme = '', rest = ''] =
    /^\s*(mailto|tel|callto|sms):(?:\/\/)?([^?;]*)/i.exec(href.slice(0, 1000)) ?? [];
  const said = decoded(rest).trim();
  const text = /<([^<>]+)>$/.exec(said)?.[1]?.trim() ?? said;
  const isMail = scheme.toLowerCase() === 'mailto';
  const isContact = isMail ? isAddress(text) : /^\+?[\d().\s/-]{3,40}$/.test(text);
  return isContact ? { text, replaces: null } : null;
}

/** Attributes with the parts of an address that scripts join. */
const nameParts = ['data-user', 'data-local', 'data-mailbox'];

/** Returns whether attributes may hold an address or number. */
export const hidesContact = (attributes: Attributes): boolean =>
  attributes['data-cfemail'] !== undefined || attributes['data-domain'] !== undefined;

function dividedAddress(attributes: Attributes): string {
  const user = attributes[nameParts.find((name) => attributes[name] !== undefined) ?? ''];
  const host = attributes['data-domain'];
  if (user === undefined || host === undefined) return '';
  const ending = attributes['data-tld'] ?? '';
  return `${user}@${host}${ending === '' ? '' : `.${ending.replace(/^\./, '')}`}`;
}

/** A script or a text for browsers without scripts that writes only a contact. */
const MAX_SILENT_CHARS = 400;
const spelled = /[^\s@<>"]\s?(?:@|[([{]\s?at\s?[)\]}])\s?[^\s@<>"]/i;

/** Returns the address in a script that writes it, or in a text for browsers without scripts; '' without one. */
export function silentContact(name: string, text: string): string {
  if (text.length > MAX_SILENT_CHARS) return '';
  if (name === 'noscript') return spelled.test(text) ? text : '';
  if (name !== 'script' || !text.includes('document.write')) return '';
  const written = [...text.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, one, other]) => one ?? other).join('');
  const shown = written.replace(/<[^<>]*>/g, '').trim();
  return isAddress(shown) ? shown : '';
}

/** Writes an address forwards that a page shows so, but has backwards in its source. */
export function writeReversed(text: string[], row: number, end: number, style: string | undefined): void {
  if (style === undefined || end - row > 3 || !/bidi-override/i.test(style) || !/rtl/i.test(style)) return;
  for (let at = row + 1; at < end; at++) {
    const forwards = [...(text[at] ?? '').trim()].reverse().join('');
    if (isAddress(forwards) || /^\+?[\d().\s/-]{5,40}$/.test(forwards)) text[at] = forwards;
  }
}

/** Returns whether a link only states an address or a number. */
export const isContactLink = ({ href }: Attributes): boolean =>
  href !== undefined && /^\s*(?:mailto|tel|callto|sms):/i.test(href.slice(0, 20));

/** Writes the contact into the texts of the rows `from`..`end`-1. Returns false if there is no text to write into. */
export function writeContact({ tag, text }: Rows, from: number, end: number, contact: Contact): boolean {
  if (end - from > MAX_ROWS) return true;
  const texts: number[] = [];
  for (let row = from; row < end; row++)
    if (tag[row] === '' && (text[row] ?? '').trim() !== '') texts.push(row);
  const last = texts.at(-1);
  if (last === undefined) return false;
  const said = texts.map((row) => text[row]).join('');
  if (contact.replaces?.test(said)) {
    for (const row of texts) text[row] = '';
    text[last] = contact.text;
  } else if (!isSaid(contact.text, said)) {
    text[last] = `${(text[last] ?? '').trimEnd()} (${contact.text})`;
  }
  return true;
}

function isSaid(contact: string, said: string): boolean {
  if (said.toLowerCase().includes(contact.toLowerCase())) return true;
  const digits = contact.includes('@') ? '' : contact.replace(/\D/g, '');
  return digits !== '' && said.replace(/\D/g, '').includes(digits.slice(-MIN_SAME_DIGITS));
}

const isAddress = (text: string): boolean =>
  text.length <= MAX_CHARS && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]{2,}$/.test(text);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Decodes an address of which each byte, in hexadecimal digits, is combined with the first byte by XOR. */
function unmasked(encoded: string): string {
  if (!/^(?:[\da-f]{2}){5,254}$/i.test(encoded)) return '';
  const [key = 0, ...bytes] = Buffer.from(encoded, 'hex');
  return Buffer.from(bytes.map((byte) => byte ^ key)).toString('utf8');
}
