import type { AnswerOutcome } from '../schemas/answer-outcomes.js';
import type { AnswerState } from './answer-state.js';

/** Metrics of an ended answer. */
export interface AnswerFigures {
  /** `completed`, `stopped`, `deleted`, `lost` (another process ends it), or the code of its failure. */
  outcome: string;
  seconds: number;
  /** Time from the start to the first text; null without text. */
  firstTextSeconds: number | null;
  model: string | null;
  /** Null if the message is not an answer to a question, such as small talk. */
  answered: AnswerOutcome | null;
  credits: number;
  inputTokens: number;
  outputTokens: number;
}

const secondsOf = (ms: number): number => Math.round(ms) / 1000;

function outcomeOf(state: AnswerState | null): string {
  if (state === null) return 'lost';
  if (state.kind === 'message') return state.message.errorCode ?? state.message.status;
  if (state.end === null) return 'deleted';
  return state.end.outcome === 'failed' ? state.end.code : state.end.outcome;
}

/** Starts to measure an answer. */
export function measureAnswer() {
  const beganAt = performance.now();
  let firstTextAt: number | null = null;
  return {
    text(): void {
      firstTextAt ??= performance.now();
    },
    elapsedMs: () => performance.now() - beganAt,
    /** Call this at the end. */
    figures(state: AnswerState | null): AnswerFigures {
      const {
        model = null,
        usage = null,
        outcome: answered = null,
      } = state?.kind === 'message' ? state.message : {};
      return {
        outcome: outcomeOf(state),
        seconds: secondsOf(performance.now() - beganAt),
        firstTextSeconds: firstTextAt === null ? null : secondsOf(firstTextAt - beganAt),
        model,
        answered,
        credits: usage?.credits ?? 0,
        inputTokens: usage?.inputTokens ?? 0,
        outputTokens: usage?.outputTokens ?? 0,
      };
    },
  };
}
