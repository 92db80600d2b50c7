import type { Answerer, AnsweringAgent } from '../chat/answerer.js';
import type { Interruption } from '../conversations/produce-answer.js';
import { within } from '../fairness/time-limit.js';
import type { Sweep } from '../jobs/sweeper.js';
import { createWorkRounds } from '../jobs/work-rounds.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import { type Judge, JudgeBusy, PatternUnusable } from '../ports/judge.port.js';
import type { Log } from '../ports/log.port.js';
import { ModelBusy } from '../ports/model.port.js';
import type { AgentReads } from '../ports/store/agents/agent-reads.js';
import type {
  EvaluationClaim,
  EvaluationFailureCode,
  Evaluations as EvaluationStore,
  NewResult,
  ResultRow,
} from '../ports/store/conversations/evaluations.js';
import { StoreUnavailable } from '../ports/store/store-errors.js';
import type { Workspace, Workspaces } from '../ports/store/workspaces.js';
import { limits } from '../schemas/limits.js';
import { dayOf } from '../visitors/limits.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import { type AskedQuestion, askQuestion, type Cost } from './ask-question.js';
import { evaluationCompleted } from './evaluation-completed.js';
import { figuresOf } from './tally.js';

/** Asks and judges the questions of evaluations, in every API process. */
export interface Evaluations {
  /** Checks for due evaluations now. */
  soon(): void;
  sweeps: Sweep[];
  /** Stops. Another process continues the evaluations in progress. */
  stop(): Promise<void>;
}

interface EvaluationsOptions {
  store: EvaluationStore;
  answerer: Answerer;
  judge: Judge;
  reads: Pick<AgentReads, 'agentWithSettings'>;
  workspaces: Pick<Workspaces, 'find'>;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  /** Maximum duration of an answer. */
  deadlineMs: number;
  clock: Clock;
  log: Log;
}

export const EVALUATION_LEASE_MS = 15_000;
const HEARTBEAT_MS = 4000;
const ROUND_MS = 1000;
const STOP_MS = 3000;
/** Maximum number of evaluations in progress per process. Each asks one question at a time. */
const AT_ONCE = 2;
/** Time slice of an evaluation, after which another due evaluation continues. */
const SLICE_MS = 10_000;
const MOST_TRIES = 3;
/** Pause after a failed attempt, or if the model or the database is busy. */
const AGAIN_MS = 2000;
/** Maximum duration. An evaluation that takes longer fails, and keeps the verdicts so far. */
const LONGEST_S = 86_400;

type Step = 'done' | 'lost' | { againInMs: number };

const isBusy = (error: unknown): boolean => error instanceof ModelBusy || error instanceof JudgeBusy;

export function createEvaluations(options: EvaluationsOptions): Evaluations {
  const { store, answerer, judge, clock, log } = options;
  const stopping = new AbortController();

  /** Null if the agent was deleted. */
  async function askerOf({ evaluation }: EvaluationClaim): Promise<AnsweringAgent | null> {
    const { agentId, workspaceId } = evaluation;
    const [found, workspace] = await Promise.all([
      options.reads.agentWithSettings(workspaceId, agentId),
      options.workspaces.find(workspaceId),
    ]);
    if (!found || !workspace) return null;
    const { models } = options.entitlementsOf(workspace);
    const settings = evaluation.settings ?? found.settings;
    return { ...found, settings, models, isVisitor: false, isBackground: true };
  }

  async function resultOf(
    { question, agentId }: ResultRow,
    { evaluation: { workspaceId } }: EvaluationClaim,
    asked: Exclude<AskedQuestion, { kind: 'interrupted' }>,
  ): Promise<Pick<NewResult, 'verdict' | 'answer' | 'titles' | 'error'>> {
    const failed = (error: EvaluationFailureCode) =>
      ({ verdict: 'failed', answer: null, titles: null, error }) as const;
    if (asked.kind === 'failed') return failed(asked.code);
    const { text, titles } = asked;
    try {
      const verdict = await judge.judge(question, { text, titles }, { workspaceId, agentId });
      const answer = [...text].slice(0, limits.evaluations.answer).join('');
      return { verdict, answer, titles, error: null };
    } catch (error) {
      if (error instanceof PatternUnusable) return failed('PATTERN_TIMEOUT');
      throw error;
    }
  }

  const chargesOf = (costs: readonly Cost[]) =>
    costs.map(({ model, usage: { credits, inputTokens, outputTokens } }) => ({
      day: dayOf(clock.now()),
      model,
      credits,
      inputTokens: inputTokens ?? 0,
      outputTokens: outputTokens ?? 0,
    }));

  /** Asks and judges one question. */
  async function step(
    claim: EvaluationClaim,
    row: ResultRow,
    asker: AnsweringAgent,
    signal: AbortSignal,
  ): Promise<Step> {
    const beganAt = performance.now();
    const costs: Cost[] = [];
    const again = async (): Promise<Step> => {
      await store.countTry(claim, row.position, chargesOf(costs));
      return { againInMs: AGAIN_MS };
    };
    const asking = {
      answerer,
      asker,
      requestId: claim.evaluation.id,
      deadlineMs: options.deadlineMs,
      signal,
      log,
    };
    let result: Awaited<ReturnType<typeof resultOf>>;
    try {
      const asked = await askQuestion(row.question, asking, costs);
      if (asked.kind === 'failed' && row.tries + 1 < MOST_TRIES) return await again();
      if (asked.kind === 'interrupted') {
        if (costs.length > 0) await again();
        return 'lost';
      }
      result = await resultOf(row, claim, asked);
    } catch (error) {
      // If an answer was produced, its cost must be stored. Otherwise the question has not been tried.
      if (!isBusy(error) || costs.length === 0) throw error;
      if (row.tries + 1 < MOST_TRIES) return again();
      result = { verdict: 'failed', answer: null, titles: null, error: 'MODEL_UNAVAILABLE' };
    }
    const durationMs = Math.round(performance.now() - beganAt);
    const isStored = await store.store(claim, row.position, { ...result, durationMs }, chargesOf(costs));
    return isStored ? 'done' : 'lost';
  }

  /** Works on the evaluation until it ends, its lease is lost, or its time slice is over. */
  async function workThrough(claim: EvaluationClaim, signal: AbortSignal): Promise<void> {
    const { evaluation } = claim;
    const asker = await askerOf(claim);
    if (asker === null) return store.cancel(evaluation.agentId, evaluation.id, seconds(clock.now()));
    const sliceEnd = performance.now() + SLICE_MS;
    for (;;) {
      const isOld = seconds(clock.now()) > evaluation.createdAt + LONGEST_S;
      const row = isOld ? null : await store.next(claim);
      if (row === null) return end(claim);
      if (performance.now() > sliceEnd) return store.putOff(claim, clock.now());
      const outcome = await step(claim, row, asker, signal);
      if (outcome === 'done') continue;
      if (outcome !== 'lost') return store.putOff(claim, clock.now() + outcome.againInMs);
      if (stopping.signal.aborted) await store.putOff(claim, clock.now());
      return;
    }
  }

  async function end(claim: EvaluationClaim): Promise<void> {
    const { id } = claim.evaluation;
    const figures = figuresOf(await store.tallies([id]));
    const { questions, right, partly, wrong, refused, failed } = figures;
    const judged = right + partly + wrong + refused;
    const status = judged > 0 && judged + failed === questions ? 'completed' : 'failed';
    const now = seconds(clock.now());
    const event = evaluationCompleted({ ...claim.evaluation, status }, figures, now);
    await store.end(claim, { status, now, event });
    log.info({ evaluationId: id, agentId: claim.evaluation.agentId, ...figures }, 'an evaluation ended');
  }

  async function work(claim: EvaluationClaim): Promise<void> {
    const lost = new AbortController();
    const heartbeat = setInterval(() => {
      store.extend(claim, clock.now() + EVALUATION_LEASE_MS).then(
        (holds) => {
          if (!holds) lost.abort('lost' satisfies Interruption);
        },
        (error: unknown) => log.debug({ err: error }, 'the lease of an evaluation could not be extended'),
      );
    }, HEARTBEAT_MS);
    try {
      await workThrough(claim, AbortSignal.any([lost.signal, stopping.signal]));
    } catch (error) {
      if (!isBusy(error) && !(error instanceof StoreUnavailable))
        log.warn(
          { err: error, evaluationId: claim.evaluation.id },
          'an evaluation was interrupted; will retry',
        );
      await store.putOff(claim, clock.now() + AGAIN_MS);
    } finally {
      clearInterval(heartbeat);
    }
  }

  const rounds = createWorkRounds({
    claim: (limit) => store.claim(clock.now(), { leaseUntilMs: clock.now() + EVALUATION_LEASE_MS, limit }),
    work,
    atOnce: AT_ONCE,
    perRound: AT_ONCE,
    log,
  });
  return {
    soon: () => rounds.soon(),
    sweeps: [{ name: 'evaluations', everyMs: ROUND_MS, run: () => rounds.round() }],
    async stop() {
      stopping.abort('shutdown' satisfies Interruption);
      await within(STOP_MS, rounds.stop());
    },
  };
}
