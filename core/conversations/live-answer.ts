import { setImmediate as inNextRound } from 'node:timers/promises';
import type { MessageRow, NewToolCall, Script } from '../ports/store/conversations/conversation-rows.js';
import type { Savable } from './answer-saver.js';
import { type AnswerState, hasEnded } from './answer-state.js';
import type { Interruption } from './produce-answer.js';
import type { ScriptWriter } from './script-writer.js';

/** An answer that this process writes, shared by its writer, the saver and followers. */
export interface LiveAnswer extends Savable {
  /** The answer is written on the event loop of this process, without a language model. */
  readonly isExtractive: boolean;
  /** Aborted with an Interruption as its reason. */
  readonly signal: AbortSignal;
  /** Returns the saved state, or null if it must be read from the store. */
  state(): AnswerState | null;
  /** Calls `hear` after each change of `state()`. Returns a function that unsubscribes. */
  onChange(hear: () => void): () => void;
  interrupt(why: Interruption): void;
  /** Call this after the commit of the last turn. Null if the state must be read from the store. */
  end(state: AnswerState | null): void;
  /** Resolves with the argument of `end`. */
  readonly ended: Promise<AnswerState | null>;
}

/** Followers to notify in one task of the event loop. Other work runs in between. */
const WOKEN_TOGETHER = 50;

async function wake(listeners: (() => void)[]): Promise<void> {
  for (let at = 0; at < listeners.length; at += WOKEN_TOGETHER) {
    if (at > 0) await inNextRound();
    for (const hear of listeners.slice(at, at + WOKEN_TOGETHER)) hear();
  }
}

export function createLiveAnswer(
  { message, token, isExtractive }: { message: MessageRow; token: string; isExtractive: boolean },
  writer: ScriptWriter,
): LiveAnswer {
  const interruption = new AbortController();
  let state: AnswerState | null = { kind: 'message', message };
  let toolCalls: NewToolCall[] = [];
  let onTheWay: { script: Script; toolCalls: number } | null = null;
  const listeners = new Set<() => void>();
  let finish: (state: AnswerState | null) => void = () => {};
  const ended = new Promise<AnswerState | null>((resolve) => {
    finish = resolve;
  });

  function publish(newer: AnswerState | null): void {
    state = newer;
    void wake([...listeners]);
  }

  return {
    messageId: message.id,
    conversationId: message.conversationId,
    token,
    isExtractive,
    signal: interruption.signal,
    ended,
    state: () => state,
    onChange(hear) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    unsaved() {
      toolCalls = [...toolCalls, ...writer.newToolCalls()];
      onTheWay = { script: writer.script(), toolCalls: toolCalls.length };
      return { script: onTheWay.script, toolCalls };
    },
    saved() {
      if (onTheWay === null || state === null || hasEnded(state)) return;
      toolCalls = toolCalls.slice(onTheWay.toolCalls);
      publish({ kind: 'message', message: { ...message, script: onTheWay.script } });
    },
    lost: () => interruption.abort('lost' satisfies Interruption),
    interrupt: (why) => interruption.abort(why),
    end(last) {
      publish(last);
      finish(last);
    },
  };
}
