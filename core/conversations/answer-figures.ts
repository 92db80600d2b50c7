import type { Standing } from './standing.js';

/** What is measured of an answer that has ended. */
export interface AnswerFigures {
  /** `completed`, `stopped`, `deleted`, `lost` (somebody else ends it), or the code of its failure. */
  outcome: string;
  seconds: number;
  /** From the begin to the first text; null when there was none. */
  firstTextSeconds: number | null;
  model: string | null;
  credits: number;
  inputTokens: number;
  outputTokens: number;
}

const secondsOf = (ms: number): number => Math.round(ms) / 1000;

function outcomeOf(standing: Standing | null): string {
  if (standing === null) return 'lost';
  if (standing.kind === 'message') return standing.message.errorCode ?? standing.message.status;
  if (standing.end === null) return 'deleted';
  return standing.end.outcome === 'failed' ? standing.end.code : standing.end.outcome;
}

/** Times are readings of the monotonic clock, in milliseconds. */
export function figuresOf(
  standing: Standing | null,
  { beganAt, firstTextAt, endedAt }: { beganAt: number; firstTextAt: number | null; endedAt: number },
): AnswerFigures {
  const { model = null, usage = null } = standing?.kind === 'message' ? standing.message : {};
  return {
    outcome: outcomeOf(standing),
    seconds: secondsOf(endedAt - beganAt),
    firstTextSeconds: firstTextAt === null ? null : secondsOf(firstTextAt - beganAt),
    model,
    credits: usage?.credits ?? 0,
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
  };
}
