import type { AnswerEvent, Answerer, AnswerRequest } from '../../core/chat/answerer.js';
import type { Usage } from '../../core/ports/store/conversations/answer.js';
import type { AnswerOutcome } from '../../core/schemas/answer-outcomes.js';

/** Produces one answer. */
export type Play = (request: AnswerRequest, signal: AbortSignal) => AsyncIterable<AnswerEvent>;

/** Answers with the scripts in order, then repeats the last one. */
export interface ScriptedAnswerer extends Answerer {
  /** Sets the scripts for the following answers. */
  play(...plays: Play[]): void;
  /** Requests, in order. */
  requests: AnswerRequest[];
  /** Slots acquired and not released. */
  readonly placesTaken: number;
  /** Thrown by `admit` if set. */
  refusal: Error | null;
}

const MODEL = 'vendorB/familyB-haiku-4-5';
export const stepStart = { type: 'step-start', model: MODEL, credits: 1 } as const;
const usage: Usage = { credits: 1, inputTokens: 10, outputTokens: 5 };

export const finish = (
  reason: Extract<AnswerEvent, { type: 'finish' }>['reason'] = 'stop',
): Extract<AnswerEvent, { type: 'finish' }> => ({
  type: 'finish',
  reason,
  model: MODEL,
  usage,
  citations: [],
  outcome: reason === 'tool-calls' ? null : 'unanswered',
  sources: [],
  offer: reason !== 'tool-calls',
});

/** One step with these texts. */
export const says = (...texts: string[]): Play =>
  async function* () {
    yield stepStart;
    for (const text of texts) yield { type: 'text', text };
    yield { type: 'step-finish' };
    yield finish();
  };

/** One step that ends with calls of these tools. */
export const calls = (text: string, ...toolCalls: { id: string; name: string; input: object }[]): Play =>
  async function* () {
    yield stepStart;
    if (text !== '') yield { type: 'text', text };
    for (const { id, name, input } of toolCalls)
      yield { type: 'tool-call', toolCallId: id, toolName: name, input: input as never };
    yield { type: 'step-finish' };
    yield finish('tool-calls');
  };

/** Blocks an answer until the test calls `open`, or the answer is aborted. */
export interface Gate {
  readonly reached: Promise<void>;
  pass(signal: AbortSignal): Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let reach: () => void = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return {
    reached,
    open: () => open(),
    pass(signal) {
      reach();
      return new Promise((resolve, reject) => {
        const stop = () => reject(signal.reason);
        if (signal.aborted) return stop();
        signal.addEventListener('abort', stop, { once: true });
        void opened.then(() => {
          signal.removeEventListener('abort', stop);
          resolve();
        });
      });
    },
  };
}

/** Emits the first text, waits at the gate, emits the second. */
export const saysAround = (before: string, waiting: Gate, after: string): Play =>
  async function* (_, signal) {
    yield stepStart;
    if (before !== '') yield { type: 'text', text: before };
    await waiting.pass(signal);
    yield { type: 'text', text: after };
    yield { type: 'step-finish' };
    yield finish();
  };

export function scriptedAnswerer(...plays: Play[]): ScriptedAnswerer {
  let next = plays.length === 0 ? [says('An answer.')] : plays;
  let placesTaken = 0;
  const me: ScriptedAnswerer = {
    requests: [],
    refusal: null,
    get placesTaken() {
      return placesTaken;
    },
    play(...more) {
      next = more;
    },
    admit() {
      if (me.refusal) throw me.refusal;
      placesTaken += 1;
      let held = true;
      return {
        isExtractive: false,
        release() {
          if (held) placesTaken -= 1;
          held = false;
        },
      };
    },
    answer(request, signal) {
      me.requests.push(request);
      const [play = says('An answer.')] = next;
      if (next.length > 1) next = next.slice(1);
      return play(request, signal);
    },
  };
  return me;
}

/** An answer that ends with this outcome. */
export const concluding = (outcome: AnswerOutcome | null): Play =>
  async function* () {
    yield stepStart;
    yield { type: 'text', text: `It is ${outcome}.` };
    yield { type: 'step-finish' };
    yield { ...finish(), outcome };
  };
