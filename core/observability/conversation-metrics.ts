import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { AnswerFigures } from '../conversations/answer-figures.js';

const ANSWER_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Registers the metrics of answers. Returns a function that records a finished answer. */
export function createConversationMetrics(
  registers: Registry[],
  underWay: () => number,
): (figures: AnswerFigures) => void {
  const durations = new Histogram({
    name: 'chat_answer_duration_seconds',
    help: 'Duration of answers, by outcome: completed, stopped, deleted, lost, or failure code',
    labelNames: ['outcome'],
    buckets: ANSWER_SECONDS,
    registers,
  });
  const firstTexts = new Histogram({
    name: 'chat_answer_first_text_seconds',
    help: 'Time from the start of an answer to its first text',
    buckets: ANSWER_SECONDS,
    registers,
  });
  const outcomes = new Counter({
    name: 'chat_answer_outcomes_total',
    help: 'Answers to questions, by outcome: answered with a citation, suggested (related sources named), or unanswered',
    labelNames: ['model', 'outcome'],
    registers,
  });
  const credits = new Counter({
    name: 'chat_credits_total',
    help: 'Credits charged for answers',
    labelNames: ['model'],
    registers,
  });
  const tokens = new Counter({
    name: 'chat_tokens_total',
    help: 'Tokens of answers, if the provider reports them',
    labelNames: ['model', 'direction'],
    registers,
  });
  new Gauge({
    name: 'chat_answers_under_way',
    help: 'Answers in progress in this process',
    registers,
    collect() {
      this.set(underWay());
    },
  });
  return ({ outcome, seconds, firstTextSeconds, model, answered, ...used }) => {
    durations.observe({ outcome }, seconds);
    if (firstTextSeconds !== null) firstTexts.observe(firstTextSeconds);
    if (model === null) return;
    if (answered !== null) outcomes.inc({ model, outcome: answered });
    credits.inc({ model }, used.credits);
    tokens.inc({ model, direction: 'input' }, used.inputTokens);
    tokens.inc({ model, direction: 'output' }, used.outputTokens);
  };
}
