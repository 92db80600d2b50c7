import { isRecord, parseJson } from '../page/facts/json-value.js';
import type { Cue } from './cue.js';

const listNames = ['events', 'segments', 'cues', 'captions', 'transcript', 'body', 'results'];

/**
 * Parses JSON captions: `events[].segs[].utf8` in milliseconds, or a list of `{start|from, text|content}` in
 * seconds.
 */
export function parseCaptionJson(source: string): Cue[] {
  const data = parseJson(source);
  const list = Array.isArray(data)
    ? data
    : isRecord(data)
      ? listNames.map((name) => data[name]).find(Array.isArray)
      : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    if (!isRecord(entry)) return [];
    const start = startOf(entry);
    const text = textOf(entry).trim();
    return text === '' || !Number.isFinite(start) ? [] : [{ start, text }];
  });
}

function startOf(entry: Record<string, unknown>): number {
  if (entry.tStartMs !== undefined) return Number(entry.tStartMs) / 1000;
  if (entry.startMs !== undefined) return Number(entry.startMs) / 1000;
  return Number(entry.start ?? entry.startTime ?? entry.from ?? entry.begin ?? entry.offset);
}

function textOf(entry: Record<string, unknown>): string {
  if (Array.isArray(entry.segs)) {
    return entry.segs
      .map((part: unknown) => (isRecord(part) && typeof part.utf8 === 'string' ? part.utf8 : ''))
      .join('');
  }
  const text = entry.text ?? entry.content ?? entry.body ?? entry.caption;
  return typeof text === 'string' ? text : '';
}
