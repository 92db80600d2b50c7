import type { AnswerEvent } from '../chat/answerer.js';
import type { Citation } from '../ports/store/conversations/answer.js';
import type { NewToolCall, Script, ScriptItem } from '../ports/store/conversations/conversation-rows.js';

/** Builds the script of an answer from its events. */
export interface ScriptWriter {
  /** Adds an event. Returns false if the script does not change. */
  take(event: AnswerEvent): boolean;
  /** Returns a snapshot. */
  script(): Script;
  /** Returns the tool calls since the last call. */
  newToolCalls(): NewToolCall[];
}

const lastUnit = (text: string): number => text.charCodeAt(text.length - 1);
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** Creates a writer. Each tool call expires at the `expiresAt()` of the moment in which it is written, Unix seconds. */
export function createScriptWriter(expiresAt: () => number): ScriptWriter {
  const items: ScriptItem[] = [];
  let calls: NewToolCall[] = [];
  let parts = 0;
  /** Index of the text part that is being extended; null if new text begins a part. */
  let open: number | null = null;
  /** High surrogate at the end of the last text. */
  let half = '';

  /** Removes NUL and lone surrogates, which models may write but databases cannot store. */
  function storable(text: string): string {
    const all = (half + text).replaceAll('\0', '');
    half = isHighSurrogate(lastUnit(all)) ? all.slice(-1) : '';
    return all.slice(0, all.length - half.length).toWellFormed();
  }

  function addText(sent: string): boolean {
    const text = storable(sent);
    if (text === '') return false;
    const last = items.at(-1);
    if (open === null) {
      open = parts;
      parts += 1;
    }
    if (last?.kind === 'text' && last.part === open)
      items[items.length - 1] = { ...last, text: last.text + text };
    else items.push({ kind: 'text', part: open, text });
    return true;
  }

  return {
    take(event) {
      switch (event.type) {
        case 'text':
          return addText(event.text);
        case 'source':
          items.push({ kind: 'source', citation: event.citation });
          return true;
        case 'step-start':
          open = null;
          items.push({ kind: event.type, model: event.model, credits: event.credits });
          return true;
        case 'step-finish':
          open = null;
          items.push({ kind: event.type });
          return true;
        case 'tool-call': {
          const { toolCallId, toolName, input } = event;
          open = null;
          items.push({ kind: 'tool-call', part: parts, toolCallId, toolName, input });
          parts += 1;
          calls.push({ id: toolCallId, toolName, input, expiresAt: expiresAt() });
          return true;
        }
        default:
          return false;
      }
    },
    script: () => items.slice(),
    newToolCalls() {
      const found = calls;
      calls = [];
      return found;
    },
  };
}

/** Returns whether the script has visible content: text, or a tool call. */
export const saysSomething = (script: Script): boolean =>
  script.some(({ kind }) => kind === 'text' || kind === 'tool-call');

/** Returns the distinct citations of a script. */
export const shownCitations = (script: Script): Citation[] =>
  script.flatMap((item) => (item.kind === 'source' ? [item.citation] : []));

/** Joins all text of a message. */
export const textOf = (script: Script): string =>
  script.map((item) => (item.kind === 'text' ? item.text : '')).join('');

export const plainText = (text: string): Script => [{ kind: 'text', part: 0, text }];
