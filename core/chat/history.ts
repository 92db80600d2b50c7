import type { ModelMessage } from '../ports/model.port.js';
import { estimateTokens } from '../retrieval/context-tokens.js';
import type { JsonValue } from '../schemas/json.js';
import type { HistoryEntry } from './answerer.js';

/** A user's message with the entries up to the next one. Entries before the first message form a turn of their own. */
export type Turn = HistoryEntry[];

export function turnsOf(history: readonly HistoryEntry[]): Turn[] {
  const turns: Turn[] = [];
  for (const entry of history) {
    const open = turns.at(-1);
    if (open === undefined || entry.role === 'user') turns.push([entry]);
    else open.push(entry);
  }
  return turns;
}

/** Removes citation markers of earlier answers, whose sources are no longer in the prompt. */
const withoutMarkers = (text: string): string => text.replace(/ ?\[\d+\](?!\()/g, '');

/** Converts entries to messages. Merges adjacent messages of one role, because some models require alternation. */
export function messagesOf(entries: readonly HistoryEntry[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const entry of entries) {
    const last = messages.at(-1);
    if (entry.role === 'user') {
      if (last?.role === 'user') last.text += `\n\n${entry.text}`;
      else messages.push({ role: 'user', text: entry.text });
      continue;
    }
    const text = withoutMarkers(entry.text);
    if (entry.toolCalls.length === 0) {
      if (last?.role === 'assistant' && last.toolCalls === undefined) last.text += `\n\n${text}`;
      else messages.push({ role: 'assistant', text });
      continue;
    }
    const toolCalls = entry.toolCalls.map(({ toolCallId, toolName, input }) => ({
      toolCallId,
      toolName,
      input,
    }));
    messages.push({ role: 'assistant', text, toolCalls });
    for (const { toolCallId, toolName, result } of entry.toolCalls) {
      const output: JsonValue = 'output' in result ? result.output : { error: result.error };
      messages.push({ role: 'tool', toolCallId, toolName, output });
    }
  }
  return messages;
}

/** Overhead per message in tokens. */
const OVERHEAD = 4;

/** Estimates the tokens of messages. */
export const tokensOf = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => {
    if (message.role === 'tool') return sum + OVERHEAD + estimateTokens(JSON.stringify(message.output));
    const calls = message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls) : '';
    return sum + OVERHEAD + estimateTokens(message.text) + estimateTokens(calls);
  }, 0);

/** Returns the bytes of the texts and tool calls. */
export const bytesOf = (history: readonly HistoryEntry[]): number =>
  history.reduce((sum, entry) => {
    const calls = entry.role === 'assistant' ? JSON.stringify(entry.toolCalls) : '';
    return sum + Buffer.byteLength(entry.text) + Buffer.byteLength(calls);
  }, 0);

/** Drops the oldest turns, which no prompt has room for. Keeps the last turn, however long it is. */
export function recentHistory(history: readonly HistoryEntry[], maxTokens: number): HistoryEntry[] {
  const turns = turnsOf(history);
  const asked = turns.pop() ?? [];
  return [...recentTurns(turns, maxTokens).flat(), ...asked];
}

/** Returns the newest complete turns that fit, oldest first. */
export function recentTurns(turns: readonly Turn[], maxTokens: number): Turn[] {
  let left = maxTokens;
  let first = turns.length;
  while (first > 0) {
    left -= tokensOf(messagesOf(turns[first - 1] ?? []));
    if (left < 0) break;
    first--;
  }
  return turns.slice(first);
}
