import { setTimeout as sleep } from 'node:timers/promises';
import { readRegularFile } from '../config/read-regular-file.js';
import type { Verdict } from '../core/schemas/evaluations.js';
import type { Api } from './api.js';
import { CliError } from './cli-error.js';

/** The command `evaluate`, a client of the API. */

export interface Figures extends Record<Verdict, number> {
  questions: number;
  score: number | null;
}

export interface Evaluation {
  id: string;
  name: string | null;
  status: string;
  progress: number;
  figures: Figures;
  types: { type: string; figures: Figures }[];
  comparison?: { evaluationId: string; better: number; worse: number; same: number; new: number };
}

export interface Result {
  position: number;
  question: { type?: string; question: string };
  verdict: Verdict | null;
  answer: string | null;
  titles: string[] | null;
  error: { code: string; message: string } | null;
  durationMs: number | null;
  previous?: Verdict | null;
  change?: string;
}

const POLL_MS = 500;
/** Maximum size of a file of questions. The API accepts at most 2 MiB. */
const MAX_BYTES = 16 * 1_048_576;

/** Reads a file of questions: a list, or an object with the list in `questions`. Throws FILE_INVALID. */
export function readQuestions(file: string): object[] {
  let content: unknown;
  try {
    content = JSON.parse(readRegularFile(file, { maxBytes: MAX_BYTES }).toString('utf8'));
  } catch (error) {
    throw new CliError('FILE_INVALID', `${file} cannot be read as JSON: ${(error as Error).message}.`);
  }
  const questions = Array.isArray(content) ? content : (content as { questions?: unknown } | null)?.questions;
  if (!Array.isArray(questions)) throw new CliError('FILE_INVALID', `${file} has no list of questions.`);
  return questions as object[];
}

/** Returns the questions that the agent keeps. */
export async function keptQuestions(api: Api, at: string): Promise<object[]> {
  const questions: object[] = [];
  for await (const kept of api.list<{ question: object }>(`${at}/evaluation-questions`))
    questions.push(kept.question);
  if (questions.length === 0)
    throw new CliError('FILE_INVALID', 'The agent keeps no questions. Name a file.');
  return questions;
}

/** Returns the id of the newest ended evaluation; undefined if there is none. */
export async function latest(api: Api, at: string): Promise<string | undefined> {
  for await (const { id, status } of api.list<Evaluation>(`${at}/evaluations`))
    if (status === 'completed') return id;
  return undefined;
}

/** Starts an evaluation and waits for its end. If the signal aborts, cancels the evaluation. */
export async function evaluate(
  api: Api,
  at: string,
  {
    questions,
    name,
    compareTo,
    onProgress,
    signal,
  }: {
    questions: object[] | undefined;
    name: string | undefined;
    compareTo: string | undefined;
    onProgress: (progress: number, questions: number) => void;
    signal: AbortSignal;
  },
): Promise<{ evaluation: Evaluation; results: Result[] }> {
  const { id } = await api.send<Evaluation>('POST', `${at}/evaluations`, {
    ...(questions ? { questions } : {}),
    ...(name === undefined ? {} : { name }),
    ...(compareTo === undefined ? {} : { compareTo }),
  });
  const query = compareTo === undefined ? '' : `?compareTo=${compareTo}`;
  const cancel = () => api.send('POST', `${at}/evaluations/${id}/cancel`);
  const follow = async (): Promise<Evaluation> => {
    for (let isCancelled = false; ; ) {
      if (signal.aborted && !isCancelled) {
        await cancel();
        isCancelled = true;
      }
      const evaluation = await api.send<Evaluation>('GET', `${at}/evaluations/${id}${query}`);
      onProgress(evaluation.progress, evaluation.figures.questions);
      if (evaluation.status !== 'pending' && evaluation.status !== 'running') return evaluation;
      await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
  };
  const evaluation = await follow().catch(async (error: unknown) => {
    // Cancelling is best effort: the command ends anyway.
    await cancel().catch(() => {});
    throw error;
  });
  const results: Result[] = [];
  for await (const result of api.list<Result>(`${at}/evaluations/${id}/results${query}`))
    results.push(result);
  return { evaluation, results };
}
