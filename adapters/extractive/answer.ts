import type { Found } from '../../core/knowledge/text/passages.js';
import { sentencesOf } from '../../core/knowledge/text/sentences.js';
import { builtInMessages } from '../../core/locales/built-in-messages.js';
import type { ModelRequest } from '../../core/ports/model.port.js';
import { askedEntry } from './asked-entry.js';
import { holdsAskedValue } from './asked-value.js';
import { candidatesOf } from './candidates.js';
import { type Quotation, quotationOf, withoutMarkers } from './render.js';

/** Maximum number of sources to suggest. */
const SUGGESTIONS = 3;

/**
 * Requirements for a second quotation: minimum score, relative to the best one, and minimum weight of the terms that
 * it adds, relative to the whole question. The minimum score is lower in the same passage, where text is more likely
 * to be about the same topic.
 */
const SECOND = { score: 0.8, added: 0.15 };
const SECOND_NEARBY = { score: 0.5, added: 0.25 };

/**
 * Answers without a language model. Small talk gets a phrase. A question that the sources cover gets quotations, each
 * followed by the number of its passage, from 1. Any other question gets the sentence of the agent, and the titles of
 * related sources. Yields the
 * text in parts. Deterministic.
 */
export function* extractiveAnswer({
  question,
  found,
  language,
  smallTalk,
  unansweredMessage,
}: Pick<
  ModelRequest,
  'question' | 'found' | 'language' | 'smallTalk' | 'unansweredMessage'
>): Generator<string> {
  const messages = builtInMessages(language);
  if (smallTalk !== null) {
    yield messages[smallTalk];
    return;
  }
  const quoted = found.support === 'covered' ? [...answered(found, question)] : [];
  if (quoted.length > 0) {
    yield* quoted;
    return;
  }
  const titles = found.support === 'near' ? suggestions(found) : [];
  if (titles.length === 0 || unansweredMessage !== undefined)
    yield unansweredMessage ?? messages.nothingFound;
  if (titles.length === 0) return;
  if (unansweredMessage !== undefined) yield '\n\n';
  yield `${messages.suggested} ${new Intl.ListFormat(language).format(titles)}`;
}

/** Returns the titles of the best documents in Markdown. The title of a page is a link. */
function suggestions({ passages }: Found): string[] {
  const titles = new Map<string, string>();
  for (const { documentId, title, url } of passages) {
    const label = escaped(onOneLine(title));
    if (label === '' || titles.has(documentId)) continue;
    titles.set(documentId, url === null ? label : `[${label}](<${url}>)`);
  }
  return [...new Set(titles.values())].slice(0, SUGGESTIONS);
}

const escaped = (title: string): string => title.replace(/[\\`*[\]<>]/g, '\\$&');

function* answered(found: Found, question: string): Generator<string> {
  const entry = askedEntry(found, question);
  if (entry !== null) {
    yield* inSentences(withoutMarkers(entry.answer));
    // On the last line of a list or code block, the marker would become part of that block.
    yield `${entry.answer.includes('\n') ? '\n\n' : ' '}${marker(entry.passage)}`;
    return;
  }
  const [best, second] = quotations(found, question);
  if (best === undefined) return;
  yield* marked(best);
  if (second === undefined) return;
  yield '\n\n';
  yield* marked(second);
}

/**
 * Returns the best quotation, and a second one if its score is nearly as high and it contains further words of the
 * question. Returns none if the best one lacks the number that the question asks for.
 */
function quotations(found: Found, question: string): Quotation[] {
  const [first, ...others] = candidatesOf(found, question);
  if (first === undefined || !holdsAskedValue(first, found, question)) return [];
  const best = quotationOf(first);
  const weightOf = (term: number): number => found.terms[term]?.weight ?? 0;
  const all = found.terms.reduce((sum, { weight }) => sum + weight, 0);
  for (const other of others) {
    const least = other.passage === first.passage ? SECOND_NEARBY : SECOND;
    if (other.score < least.score * first.score) continue;
    const second = quotationOf(other);
    const added = [...second.terms].filter((term) => !best.terms.has(term));
    if (added.reduce((sum, term) => sum + weightOf(term), 0) >= least.added * all) return [best, second];
  }
  return [best];
}

function* marked({ passage, markdown, isBlock }: Quotation): Generator<string> {
  yield* inSentences(markdown);
  yield `${isBlock ? '\n\n' : ' '}${marker(passage)}`;
}

const marker = (passage: number): string => `[${passage + 1}]`;

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Yields the text sentence by sentence, without losing white space. */
function* inSentences(text: string): Generator<string> {
  let from = 0;
  for (const { start } of sentencesOf(text)) {
    if (start > from) yield text.slice(from, start);
    from = start;
  }
  if (from < text.length) yield text.slice(from);
}
