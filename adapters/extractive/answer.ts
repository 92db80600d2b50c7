import type { Found } from '../../core/knowledge/passages.js';
import { sentencesOf } from '../../core/knowledge/sentences.js';
import { askedEntry } from './asked-entry.js';
import { bestSentences } from './best-sentences.js';
import { phrasesOf } from './phrases.js';

/** Below it, what was found is about something else. */
const LEAST_COVERAGE = 0.3;

/**
 * An answer without a model: the answer of an entry that was asked for, else the sentences that fit the
 * question best, quoted; each with the number of its passage, from 1. Comes in pieces of a sentence. The same
 * input always gives the same answer.
 */
export function* extractiveAnswer(found: Found, language: string): Generator<string> {
  const { nothingFound, noModel } = phrasesOf(language);
  const body = found.coverage < LEAST_COVERAGE ? [] : [...answered(found)];
  yield* body.length > 0 ? body : [nothingFound];
  yield `\n\n${noModel}`;
}

function* answered(found: Found): Generator<string> {
  const entry = askedEntry(found);
  if (entry !== null) {
    yield* inSentences(withoutMarkers(entry.answer));
    // Below a list or a block of code, a mark on its last line would become part of it.
    yield `${entry.answer.includes('\n') ? '\n\n' : ' '}${marker(entry.passage)}`;
    return;
  }
  let gap = '';
  for (const { passage, sentences } of bestSentences(found)) {
    const text = found.passages[passage]?.text ?? '';
    for (const [at, { start, end }] of sentences.entries()) {
      const opening = at === 0 ? `${gap}“` : ' ';
      const closing = at === sentences.length - 1 ? `” ${marker(passage)}` : '';
      yield `${opening}${onOneLine(withoutMarkers(text.slice(start, end)))}${closing}`;
    }
    gap = '\n\n';
  }
}

const marker = (passage: number): string => `[${passage + 1}]`;

/** A source's own footnotes would pass for ours. */
const withoutMarkers = (text: string): string => text.replace(/ ?\[\d+\](?!\()/g, '');

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The text as it is, cut where a sentence begins. */
function* inSentences(text: string): Generator<string> {
  let from = 0;
  for (const { start } of sentencesOf(text)) {
    if (start > from) yield text.slice(from, start);
    from = start;
  }
  if (from < text.length) yield text.slice(from);
}
