import { timeSlices } from '../fairness/time-slices.js';
import {
  type Model,
  type ModelDescription,
  ModelFailure,
  type ModelFinish,
  type ModelMessage,
  type ModelRequest,
  maxToolCalls,
} from '../ports/model.port.js';
import type { Usage } from '../ports/store/conversations/answer.js';
import { currentSpan } from '../tracing/trail.js';
import type { AnswerMetrics } from './answer-metrics.js';
import { type AnswerEvent, AnswerFailure } from './answerer.js';
import { outcomeOf, usedDocuments } from './outcome.js';
import type { Prompt } from './prompt.js';
import { type CallChecks, checkCalls, correctionOf, eventsOf, type WrittenCall } from './tool-calls.js';
import type { Writer } from './writer.js';

export interface Asking {
  model: Model;
  name: string;
  description: ModelDescription;
  /** Builds a prompt within a token budget. */
  prompt: (maxTokens: number) => Prompt;
  request: Omit<ModelRequest, 'messages'>;
  /** Rounds of tool calls since the user's last message. */
  round: number;
  checks: Omit<CallChecks, 'tools'>;
  /** Whether an answer that does not answer the question offers a person. */
  mayOffer: boolean;
  writer: Writer;
  metrics: AnswerMetrics;
  signal: AbortSignal;
}

/** The result of one model call. */
interface Call {
  calls: WrittenCall[];
  text: string;
  reason: ModelFinish;
  model: string;
}

const MAX_ROUNDS = 8;
/** Maximum number of characters to guard between two checks of the time. Some providers send a whole answer at once. */
const TEXT_PIECE = 4096;

/**
 * Asks the model. Retries once with a shorter prompt if it was too long, and once if a tool call was invalid.
 * Throws AnswerFailure, possibly after text has been written, or the abort reason.
 */
export async function* askModel(asking: Asking): AsyncGenerator<AnswerEvent> {
  const { model, description, request, round, writer, metrics, signal } = asking;
  // Extractive answers use no model, even if the agent names one.
  const name = description.extractive ? 'extractive' : asking.name;
  const usage = createUsage();
  let prompt = asking.prompt(description.contextTokens - request.maxOutputTokens);
  const corrections: ModelMessage[] = [];
  let shortened = false;
  const priceOf = (answered: string): number => (model.describe(answered) ?? description).credits;

  for (;;) {
    yield { type: 'step-start', model: name, credits: description.credits };
    const call: Call = { calls: [], text: '', reason: 'other', model: name };
    const began = performance.now();
    const span = currentSpan()?.begin(`chat ${name}`, 'client');
    let outcome: Parameters<AnswerMetrics['modelCalled']>[0]['outcome'] = 'stopped';
    try {
      writer.begin(prompt.passages);
      yield* listen(asking, { ...request, messages: [...prompt.messages, ...corrections] }, call, usage);
      yield* writer.end();
      const next = await judge(call);
      outcome = 'finished';
      yield* next.events;
      yield { type: 'step-finish' };
      if (next.correction === null) {
        const { reason } = next;
        const isQuestion = reason !== 'tool-calls' && request.smallTalk === null;
        const isSuggestion = description.extractive && request.found.support === 'near';
        const outcome = isQuestion ? outcomeOf({ cites: writer.cites(), isSuggestion }) : null;
        yield {
          type: 'finish',
          reason,
          model: call.model,
          usage: { ...usage.tokens(), credits: priceOf(call.model) },
          citations: writer.citations(),
          outcome,
          sources: usedDocuments(prompt.passages),
          offer: asking.mayOffer && outcome !== null && outcome !== 'answered',
        };
        return;
      }
      corrections.push(...next.correction);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelFailure)) throw error;
      outcome = error.code;
      if (error.provider !== null) metrics.providerFailed({ provider: error.provider, code: error.code });
      yield* writer.end();
      if (error.code === 'MODEL_CONTEXT_TOO_LONG' && !shortened && call.text === '') {
        shortened = true;
        prompt = asking.prompt(Math.floor(prompt.tokens / 2));
        yield { type: 'step-finish' };
        continue;
      }
      const answered = error.model ?? call.model;
      throw new AnswerFailure(error.code, {
        model: answered,
        usage: { ...usage.tokens(), credits: priceOf(answered) },
        cause: error,
      });
    } finally {
      span?.set({ 'gen_ai.response.model': call.model, 'cadre.model.outcome': outcome });
      if (outcome !== 'finished') span?.fail(outcome);
      span?.end();
      metrics.modelCalled({ model: call.model, outcome, seconds: (performance.now() - began) / 1000 });
    }
  }

  /** Decides how to continue after a call. Throws MODEL_BAD_ANSWER for an unusable result. */
  async function judge({ calls, text, reason }: Call): Promise<{
    events: AnswerEvent[];
    reason: ModelFinish;
    correction: ModelMessage[] | null;
  }> {
    if (calls.length === 0) {
      if (!writer.hasText()) throw new ModelFailure('MODEL_BAD_ANSWER', `an empty answer (${reason})`);
      return { events: [], reason: reason === 'tool-calls' ? 'stop' : reason, correction: null };
    }
    if (round >= MAX_ROUNDS)
      throw new ModelFailure('MODEL_BAD_ANSWER', `tools were called in more than ${MAX_ROUNDS} rounds`);
    const checked = await checkCalls(calls, { ...asking.checks, tools: request.tools });
    const wrong = checked.flatMap(({ problems }) => problems);
    if (wrong.length === 0) return { events: eventsOf(checked), reason: 'tool-calls', correction: null };
    if (corrections.length > 0)
      throw new ModelFailure('MODEL_BAD_ANSWER', `a tool call was invalid twice: ${wrong.join('; ')}`);
    return { events: [], reason, correction: correctionOf(text, checked) };
  }
}

/** Streams the text of one model call and collects the rest in `call` and `usage`. */
async function* listen(
  { model, writer, metrics, signal }: Asking,
  request: ModelRequest,
  call: Call,
  usage: ReturnType<typeof createUsage>,
): AsyncGenerator<AnswerEvent> {
  let finished = false;
  const pause = timeSlices();
  for await (const event of model.answer(request, signal)) {
    switch (event.type) {
      case 'text':
        for (let at = 0; at < event.text.length && !writer.isFull(); at += TEXT_PIECE) {
          await pause();
          const piece = event.text.slice(at, at + TEXT_PIECE);
          call.text += piece;
          yield* writer.write(piece);
        }
        break;
      case 'tool-call':
        if (call.calls.length === maxToolCalls)
          throw new ModelFailure('MODEL_BAD_ANSWER', `more than ${maxToolCalls} tool calls at once`);
        call.calls.push(event);
        break;
      case 'usage':
        usage.add(event);
        break;
      case 'setback':
        metrics.providerFailed(event);
        break;
      case 'finish':
        call.reason = event.reason;
        call.model = event.model;
        finished = true;
        break;
    }
    if (writer.isFull()) {
      call.reason = 'length';
      finished = true;
      break;
    }
  }
  if (!finished) throw new ModelFailure('MODEL_BAD_ANSWER', 'the answer was cut off');
}

/** Sums the tokens of all calls. The sum is null if the provider did not count one of them. */
function createUsage() {
  let counted: Omit<Usage, 'credits'> | null = null;
  const sum = (a: number | null, b: number | null): number | null =>
    a === null || b === null ? null : a + b;
  return {
    add(tokens: Omit<Usage, 'credits'>): void {
      const { inputTokens, outputTokens } = tokens;
      counted = {
        inputTokens: sum(counted === null ? 0 : counted.inputTokens, inputTokens),
        outputTokens: sum(counted === null ? 0 : counted.outputTokens, outputTokens),
      };
    },
    tokens: (): Omit<Usage, 'credits'> => counted ?? { inputTokens: null, outputTokens: null },
  };
}
