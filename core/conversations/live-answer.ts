import { setImmediate as inNextRound } from 'node:timers/promises';
import type { MessageRow, NewToolCall, Script } from '../ports/store/conversations.js';
import type { Savable } from './answer-saver.js';
import type { Interruption } from './produce-answer.js';
import type { ScriptWriter } from './script-writer.js';
import { hasEnded, type Standing } from './standing.js';

/** An answer that this process writes: what the maker of the answer, the saver and those who follow it share. */
export interface LiveAnswer extends Savable {
  /** Aborted with an Interruption as its reason. */
  readonly signal: AbortSignal;
  /** How it stands, as far as it has been saved; null when only the store knows. */
  standing(): Standing | null;
  /**
   * Calls back when the standing has changed, or has to be read from the store from now on. Returns a
   * function that ends this.
   */
  onChange(hear: () => void): () => void;
  interrupt(why: Interruption): void;
  /** The end, once it has been committed. Null: it must be read from the store. */
  end(standing: Standing | null): void;
  /** Resolves with that. */
  readonly ended: Promise<Standing | null>;
}

/** Followers that are woken together. Other work runs between two groups. */
const WOKEN_TOGETHER = 50;

async function wake(listeners: (() => void)[]): Promise<void> {
  for (let at = 0; at < listeners.length; at += WOKEN_TOGETHER) {
    if (at > 0) await inNextRound();
    for (const hear of listeners.slice(at, at + WOKEN_TOGETHER)) hear();
  }
}

export function createLiveAnswer(
  { message, token }: { message: MessageRow; token: string },
  writer: ScriptWriter,
): LiveAnswer {
  const interruption = new AbortController();
  let standing: Standing | null = { kind: 'message', message };
  let toolCalls: NewToolCall[] = [];
  let onTheWay: { script: Script; toolCalls: number } | null = null;
  const listeners = new Set<() => void>();
  let finish: (standing: Standing | null) => void = () => {};
  const ended = new Promise<Standing | null>((resolve) => {
    finish = resolve;
  });

  function publish(newer: Standing | null): void {
    standing = newer;
    void wake([...listeners]);
  }

  return {
    messageId: message.id,
    conversationId: message.conversationId,
    token,
    signal: interruption.signal,
    ended,
    standing: () => standing,
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
      if (onTheWay === null || standing === null || hasEnded(standing)) return;
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
