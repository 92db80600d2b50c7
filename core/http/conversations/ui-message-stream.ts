import type { Citation } from '../../ports/store/conversations/answer.js';
import type { Script, ScriptItem } from '../../ports/store/conversations/conversation-rows.js';
import type { JsonObject } from '../../schemas/json.js';
import { isBehind, type Position, writeEventId } from './event-position.js';

/*
 * The AI SDK's UI message stream, version 1 (https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol), generated from a
 * message. The same message gives the same events in every process.
 */

/** The fields of a message that are streamed. */
export interface StreamedMessage {
  /** Null for an answer that is not stored. */
  messageId: number | null;
  start: JsonObject;
  script: Script;
  /** Null while the answer is in progress. */
  end:
    | { kind: 'abort' }
    | { kind: 'finish'; finishReason: string; metadata: JsonObject; errorText: string | null }
    | null;
}

export interface PlacedEvent {
  /** Id of the event in the stream. */
  id: string;
  position: Position;
  event: JsonObject;
}

/** Maximum length of a delta, which keeps the buffers of slow readers small. */
const LONGEST_DELTA = 4096;

const START: Position = { part: -1, offset: 0, beside: 0 };
const END: Position = { part: Number.POSITIVE_INFINITY, offset: 0, beside: 0 };

/** Yields the events after `after`, or all of them if that is null. */
export function* eventsAfter(message: StreamedMessage, after: Position | null): Generator<PlacedEvent> {
  const { messageId, script, end } = message;
  let at = START;
  let kind: 'text' | 'tool' = 'text';
  let open: number | null = null;
  let inStep = false;

  const place = (position: Position, event: JsonObject): PlacedEvent[] => {
    at = position;
    return after === null || isBehind(position, after)
      ? [{ id: writeEventId(messageId, position, kind), position, event }]
      : [];
  };
  const beside = (event: JsonObject) => place({ ...at, beside: at.beside + 1 }, event);
  const closeText = (): PlacedEvent[] => {
    if (open === null) return [];
    const part = open;
    open = null;
    return place(
      { part, offset: Number.POSITIVE_INFINITY, beside: 0 },
      { type: 'text-end', id: String(part) },
    );
  };

  function* tellText({ part, text }: Extract<ScriptItem, { kind: 'text' }>): Generator<PlacedEvent> {
    if (open !== part) {
      open = part;
      kind = 'text';
      yield* place({ part, offset: 0, beside: 0 }, { type: 'text-start', id: String(part) });
    }
    const begin = at.offset;
    const known =
      after === null || after.part < part ? 0 : after.part > part ? Number.POSITIVE_INFINITY : after.offset;
    let offset = begin;
    for (const piece of pieces(text, known - begin)) {
      offset += piece.points;
      yield* place({ part, offset, beside: 0 }, { type: 'text-delta', id: String(part), delta: piece.text });
    }
    at = { part, offset: begin + codePoints(text), beside: 0 };
  }

  function* tellCall({ part, toolCallId, toolName, input }: Extract<ScriptItem, { kind: 'tool-call' }>) {
    const inputTextDelta = JSON.stringify(input);
    kind = 'tool';
    const on = (offset: number): Position => ({ part, offset, beside: 0 });
    yield* place(on(0), { type: 'tool-input-start', toolCallId, toolName });
    yield* place(on(codePoints(inputTextDelta)), { type: 'tool-input-delta', toolCallId, inputTextDelta });
    yield* place(on(Number.POSITIVE_INFINITY), { type: 'tool-input-available', toolCallId, toolName, input });
  }

  yield* place(START, {
    type: 'start',
    ...(messageId === null ? {} : { messageId: String(messageId) }),
    messageMetadata: message.start,
  });
  for (const item of script) {
    if (item.kind !== 'text' && item.kind !== 'source') yield* closeText();
    switch (item.kind) {
      case 'text':
        yield* tellText(item);
        break;
      case 'source':
        yield* beside(sourceEvent(item.citation));
        break;
      case 'tool-call':
        yield* tellCall(item);
        break;
      case 'step-start':
      case 'step-finish':
        inStep = item.kind === 'step-start';
        yield* beside({ type: inStep ? 'start-step' : 'finish-step' });
        break;
    }
  }
  if (end === null) return;
  yield* closeText();
  if (inStep) yield* beside({ type: 'finish-step' });
  if (end.kind === 'abort') {
    yield* place(END, { type: 'abort', reason: 'stopped' });
    return;
  }
  if (end.errorText !== null) yield* beside({ type: 'error', errorText: end.errorText });
  yield* place(END, { type: 'finish', finishReason: end.finishReason, messageMetadata: end.metadata });
}

const SURROGATE = /[\ud800-\udfff]/;

const codePoints = (text: string): number => (SURROGATE.test(text) ? [...text].length : text.length);

/** Splits the text into pieces, without its first `skipped` code points. `points`: code points from the start of the text. */
function* pieces(text: string, skipped: number): Generator<{ text: string; points: number }> {
  const plain = !SURROGATE.test(text);
  const characters = plain ? text : [...text];
  let uncounted = Math.min(Math.max(0, skipped), characters.length);
  for (let from = uncounted; from < characters.length; from += LONGEST_DELTA) {
    const piece = characters.slice(from, from + LONGEST_DELTA);
    yield { text: typeof piece === 'string' ? piece : piece.join(''), points: uncounted + piece.length };
    uncounted = 0;
  }
}

const mediaTypes: Record<string, string> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

function sourceEvent({ sourceId, title, url, sourceType }: Citation): JsonObject {
  if (url !== null) return { type: 'source-url', sourceId, url, title };
  const file = sourceType === 'file_upload';
  const ending = file ? title.slice(title.lastIndexOf('.') + 1).toLowerCase() : 'txt';
  return {
    type: 'source-document',
    sourceId,
    mediaType: mediaTypes[ending] ?? 'application/octet-stream',
    title,
    ...(file ? { filename: title } : {}),
  };
}
