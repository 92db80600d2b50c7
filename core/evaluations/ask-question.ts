import { setImmediate as othersFirst } from 'node:timers/promises';
import type { AnswerEvent, Answerer, AnsweringAgent, HistoryEntry } from '../chat/answerer.js';
import { produceAnswer } from '../conversations/produce-answer.js';
import type { Log } from '../ports/log.port.js';
import type { AnswerFailureCode, Usage } from '../ports/store/conversations/answer.js';
import type { EvaluationQuestion } from '../schemas/evaluations.js';

/** Cost of one answer. */
export interface Cost {
  model: string;
  usage: Usage;
}

export type AskedQuestion =
  | { kind: 'answered'; text: string; titles: string[] }
  | { kind: 'failed'; code: AnswerFailureCode }
  /** Another process has the question, or this one stops. */
  | { kind: 'interrupted' };

interface Asking {
  answerer: Answerer;
  asker: AnsweringAgent;
  requestId: string;
  /** Maximum duration of one answer. */
  deadlineMs: number;
  /** Aborted with an Interruption as its reason. */
  signal: AbortSignal;
  log: Log;
}

type TextEvent = Exclude<AnswerEvent, { type: 'finish' }>;

const initialMessages = ({ settings }: AnsweringAgent): HistoryEntry[] => {
  const { initialMessages: texts = [] } = (settings.conversation ?? {}) as { initialMessages?: string[] };
  return texts.map((text) => ({ role: 'assistant', text, toolCalls: [] }));
};

/**
 * Asks the messages of a question in one conversation, which is not stored. Adds the cost of each answer to `costs`. Throws
 * ModelBusy.
 */
export async function askQuestion(
  { before, question }: Pick<EvaluationQuestion, 'before' | 'question'>,
  asking: Asking,
  costs: Cost[],
): Promise<AskedQuestion> {
  const history = initialMessages(asking.asker);
  let last: { text: string; titles: string[] } = { text: '', titles: [] };
  for (const message of [...before, question]) {
    history.push({ role: 'user', text: message });
    const answer = await answerOnce([...history], asking);
    if (answer === null) return { kind: 'interrupted' };
    if (answer.cost) costs.push(answer.cost);
    if ('code' in answer) return { kind: 'failed', code: answer.code };
    last = answer;
    history.push({ role: 'assistant', text: answer.text, toolCalls: [] });
    // An extractive answer blocks the event loop for some milliseconds. Let other work run first.
    await othersFirst();
  }
  return { kind: 'answered', ...last };
}

type Answered = { cost: Cost | null } & ({ text: string; titles: string[] } | { code: AnswerFailureCode });

async function answerOnce(
  history: HistoryEntry[],
  { answerer, asker, requestId, deadlineMs, signal, log }: Asking,
): Promise<Answered | null> {
  const place = answerer.admit(asker);
  let text = '';
  let step: Cost | null = null;
  const hear = (event: TextEvent): void => {
    if (event.type === 'text') text += event.text;
    if (event.type === 'step-start') {
      const { model, credits } = event;
      step = { model, usage: { credits, inputTokens: null, outputTokens: null } };
    }
  };
  try {
    const end = await produceAnswer({
      answerer,
      request: async () => ({ ...asker, history, tools: [], round: 0, requestId }),
      signal,
      deadlineMs,
      hear,
      log,
    });
    if (end === null || signal.aborted || end.kind === 'stopped') return null;
    if (end.kind === 'failed') {
      const cost = end.model && end.usage ? { model: end.model, usage: end.usage } : step;
      // An answer that failed without text is free, as in conversations.
      return { code: end.code, cost: text === '' ? null : cost };
    }
    const titles = [...new Set(end.citations.map(({ title }) => title))];
    return { text, titles, cost: { model: end.model, usage: end.usage } };
  } finally {
    place.release();
  }
}
