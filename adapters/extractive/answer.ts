import type { Found } from '../../core/knowledge/passages.js';
import { sentencesOf } from '../../core/knowledge/sentences.js';
import { askedEntry } from './asked-entry.js';
import { bestSentences } from './best-sentences.js';
import { phrasesOf } from './phrases.js';

/**
 * Answers without a model: with the stored answer of a matching question, else with quoted sentences that fit the
 * question best, each with the number of its passage, from 1. Yields parts of sentences. Deterministic.
 */
export function* extractiveAnswer(found: Found, language: string): Generator<string> {
  const { nothingFound, noModel } = phrasesOf(language);
  const body = found.support === 'covered' ? [...answered(found)] : [];
  yield* body.length > 0 ? body : [nothingFound];
  yield `\n\n${noModel}`;
}

function* answered(found: Found): Generator<string> {
  const entry = askedEntry(found);
  if (entry !== null) {
    yield* inSentences(withoutMarkers(entry.answer));
    // On the last line of a list or code block, a footnote would become part of it.
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

/** Footnotes in a source would be mistaken for citations. */
const withoutMarkers = (text: string): string => text.replace(/ ?\[\d+\](?!\()/g, '');

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Cuts the text at the start of a sentence. */
function* inSentences(text: string): Generator<string> {
  let from = 0;
  for (const { start } of sentencesOf(text)) {
    if (start > from) yield text.slice(from, start);
    from = start;
  }
  if (from < text.length) yield text.slice(from);
}
