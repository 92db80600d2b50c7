import { decodeBody } from '../charset/decode-body.js';
import { normaliseText } from '../page/normalise-text.js';
import { readAs } from '../page/result.js';
import { parsePage } from '../page/tree/parse-page.js';
import { type PageKind, type Reading, refused, type TranscriptInput } from '../reading.js';
import { parseCaptionJson } from './caption-json.js';
import type { Cue } from './cue.js';
import { inlineTranscript } from './json-ld-video.js';
import { parseTimedLines } from './timed-lines.js';
import { parseTimedXml } from './timed-xml.js';
import { transcriptText } from './transcript-text.js';

const UNREADABLE =
  'The captions that the page offers could not be read. Add the transcript of the video as text.';

/**
 * Reads a transcript. Detects its format from the content: WebVTT, SubRip, timed-text XML, JSON, or structured data of
 * the page.
 */
export function readTranscript(input: TranscriptInput): Reading<PageKind> {
  const { text: source, charset } = decodeBody(input.bytes, input.contentType, false);
  const start = source
    .replace(/^\ufeff/, '')
    .trimStart()
    .slice(0, 500);
  if (/^<!doctype html|^<html/i.test(start)) {
    const text = normaliseText(inlineTranscript(parsePage(source).head.jsonLd) ?? '');
    return text === ''
      ? refused('TRANSCRIPT_UNAVAILABLE', UNREADABLE)
      : readAs('transcript', input.title, text, { charset });
  }
  const cues = readCues(source, start);
  const text = normaliseText(transcriptText(cues));
  if (text === '') return refused('TRANSCRIPT_UNAVAILABLE', UNREADABLE);
  return readAs('transcript', input.title, text, { charset, cues: cues.length });
}

function readCues(source: string, start: string): Cue[] {
  if (start.startsWith('{') || start.startsWith('[')) return parseCaptionJson(source);
  if (start.startsWith('<')) return parseTimedXml(source);
  return parseTimedLines(source);
}
