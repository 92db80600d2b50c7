import { type AnswerEvent, type Answerer, AnswerFailure, type AnswerRequest } from '../chat/answerer.js';
import { within } from '../fairness/time-limit.js';
import type { Log } from '../ports/log.port.js';
import type { AnswerFailureCode } from '../ports/store/conversations/answer.js';
import type { AnswerEnd } from './end-answer.js';

/** Why an answer is interrupted. */
export type Interruption = 'stopped' | 'deadline' | 'lost' | 'shutdown';

/** Maximum time for an interrupted answerer to end. */
const END_MS = 1000;

interface Production {
  answerer: Pick<Answerer, 'answer'>;
  request: () => Promise<AnswerRequest>;
  /** Aborted with an Interruption as its reason. */
  signal: AbortSignal;
  /** Maximum duration. */
  deadlineMs: number;
  hear: (event: Exclude<AnswerEvent, { type: 'finish' }>) => void;
  log: Log;
}

/** Produces an answer, and returns how it ended; null if another process ends it. */
export async function produceAnswer(production: Production): Promise<AnswerEnd | null> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort('deadline' satisfies Interruption), production.deadlineMs);
  const signal = AbortSignal.any([production.signal, deadline.signal]);
  try {
    const { type: _, ...answer } = await finished({ ...production, signal });
    return { ...answer, kind: 'finished' };
  } catch (thrown) {
    return endOfThrown(thrown, production.log);
  } finally {
    clearTimeout(timer);
  }
}

async function finished({ answerer, request, signal, hear }: Omit<Production, 'deadlineMs'>) {
  let cut: (reason: unknown) => void = () => {};
  const onAbort = () => cut(signal.reason);
  signal.addEventListener('abort', onAbort);
  const events = answerer.answer(await request(), signal)[Symbol.asyncIterator]();
  /** Resolves to the next event, or at an interruption, because the answerer may ignore the signal. */
  const next = () =>
    new Promise<IteratorResult<AnswerEvent>>((resolve, reject) => {
      cut = reject;
      if (signal.aborted) reject(signal.reason);
      else events.next().then(resolve, reject);
    });
  try {
    for (;;) {
      const { done, value } = await next();
      if (done) throw new AnswerFailure('MODEL_BAD_ANSWER');
      if (value.type === 'finish') return value;
      hear(value);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    const closed = Promise.resolve(events.return?.()).catch(() => {});
    await within(END_MS, closed);
  }
}

function endOfThrown(thrown: unknown, log: Log): AnswerEnd | null {
  const failed = (code: AnswerFailureCode): AnswerEnd => ({ kind: 'failed', code, model: null, usage: null });
  switch (thrown as Interruption) {
    case 'lost':
      return null;
    case 'stopped':
      return { kind: 'stopped' };
    case 'deadline':
      return failed('DEADLINE');
    case 'shutdown':
      return failed('PROCESS_LOST');
  }
  if (thrown instanceof AnswerFailure) {
    const { code, model, usage } = thrown;
    log.warn({ code, err: thrown.cause ?? thrown }, 'an answer failed');
    return { kind: 'failed', code, model, usage };
  }
  log.error({ err: thrown }, 'an answer failed with an unexpected error');
  return failed('MODEL_UNAVAILABLE');
}
