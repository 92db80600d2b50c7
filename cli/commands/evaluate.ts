import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { unanswerableTypes } from '../../core/schemas/evaluations.js';
import { type ApiOptions, apiOf, withApi } from '../api.js';
import { idOf } from '../arguments.js';
import { type Calibration, calibrate } from '../calibrate.js';
import { CliError } from '../cli-error.js';
import { escaped } from '../escaped.js';
import {
  type Evaluation,
  evaluate,
  type Figures,
  keptQuestions,
  latest,
  type Result,
  readQuestions,
} from '../evaluate.js';
import { junitReport } from '../junit.js';
import { progressBar } from '../progress-bar.js';
import type { Speak } from '../speak.js';
import { textTable } from '../text-table.js';

interface Options extends ApiOptions {
  agent: string;
  name?: string;
  compareTo?: string;
  failUnder?: string;
  junit?: string;
  calibrate?: boolean;
}

const passed = ({ question, verdict }: Result): boolean => {
  const { type = '', unanswerable = unanswerableTypes.includes(type) } = question as {
    type?: string;
    unanswerable?: boolean;
  };
  return verdict === (unanswerable ? 'refused' : 'right');
};

const percent = (score: number | null): string =>
  score === null ? '-' : `${(Math.floor(score * 1000) / 10).toFixed(1)} %`;

const line = (type: string, { questions, right, partly, wrong, refused, failed, score }: Figures) => ({
  type,
  questions,
  right,
  partly,
  wrong,
  refused,
  failed,
  score: percent(score),
});

function report({ types, figures, comparison }: Evaluation, results: readonly Result[]): string {
  const rows = [...types.map(({ type, figures: own }) => line(type, own)), line('all', figures)];
  const worse = results.filter(({ change }) => change === 'worse');
  return [
    textTable(rows),
    ...(comparison
      ? [
          '',
          `Compared with ${escaped(comparison.evaluationId)}: ${comparison.better} better, ${comparison.worse} worse, ${comparison.same} the same, ${comparison.new} new.`,
        ]
      : []),
    ...(worse.length > 0
      ? [
          '',
          textTable(
            worse.map(({ question, previous, verdict }) => ({
              worse: question.question,
              before: previous,
              now: verdict,
            })),
          ),
        ]
      : []),
  ].join('\n');
}

function proposal(found: Calibration): string {
  const { questions, skipped, right, wrong, answeringSimilarity, leastSimilarity } = found;
  const compared = `${questions - skipped} of ${questions} questions are not covered by words, and were compared by their meaning.`;
  if (answeringSimilarity === null)
    return `${compared} None is near to a sentence of an expected source, so similarity cannot answer them.`;
  return [
    compared,
    `Propose answeringSimilarity ${answeringSimilarity}: ${right} right, ${wrong} wrong.`,
    `Propose leastSimilarity ${leastSimilarity}.`,
  ].join('\n');
}

/** Parses `--fail-under`. Throws USAGE. */
function thresholdOf(option: string | undefined): number | null {
  if (option === undefined) return null;
  const value = /^(?:0|1|0?\.\d+|1\.0+)$/.test(option) ? Number(option) : Number.NaN;
  if (Number.isNaN(value)) throw new CliError('USAGE', '--fail-under is a number from 0 to 1, such as 0.8.');
  return value;
}

export function addTo(program: Command, speak: Speak): void {
  withApi(
    program
      .command('evaluate')
      .description('ask an agent questions whose answers are known, over the API, and judge what it says')
      .argument('[questions]', 'JSON file of questions; default: the questions that the agent keeps')
      .requiredOption('--agent <id>', 'id of the agent'),
  )
    .option('--name <text>', 'name of the evaluation, for people')
    .option('--compare-to <id>', 'id of an earlier evaluation to compare with, or `latest`')
    .option('--fail-under <score>', 'exit with 2 if the score (0 to 1) is lower')
    .option('--junit <file>', 'also write a JUnit report to this file')
    .option('--calibrate', 'propose the thresholds of the embedding model instead of judging answers')
    .addHelpText(
      'after',
      '\nExample: evaluate questions.json --agent ID --compare-to latest --fail-under 0.8',
    )
    .action((file: string | undefined, options: Options, command: Command) =>
      speak(command, async (out) => {
        const threshold = thresholdOf(options.failUnder);
        const api = apiOf(options);
        const at = `/agents/${encodeURIComponent(idOf(options.agent))}`;
        const questions = file === undefined ? undefined : readQuestions(file);
        if (options.calibrate) {
          const bar = progressBar(out, 'questions');
          try {
            const asked = questions ?? (await keptQuestions(api, at));
            const found = await calibrate(api, at, asked, bar.show);
            bar.stop();
            out.result(found, () => proposal(found));
          } finally {
            bar.stop();
          }
          return;
        }
        const compareTo =
          options.compareTo === 'latest'
            ? await latest(api, at)
            : options.compareTo && idOf(options.compareTo);
        const stopped = new AbortController();
        const stop = () => stopped.abort();
        const signals = ['SIGINT', 'SIGTERM'] as const;
        for (const signal of signals) process.once(signal, stop);
        const bar = progressBar(out, 'questions');
        try {
          const { evaluation, results } = await evaluate(api, at, {
            questions,
            name: options.name,
            compareTo,
            onProgress: bar.show,
            signal: stopped.signal,
          });
          bar.stop();
          if (options.junit !== undefined)
            writeFileSync(options.junit, junitReport(evaluation, results, passed));
          out.result({ ...evaluation, results }, () => report(evaluation, results));
          if (evaluation.status !== 'completed') process.exitCode = 1;
          else if (threshold !== null && (evaluation.figures.score ?? 0) < threshold) {
            out.note(`The score is under ${threshold}.`);
            process.exitCode = 2;
          }
        } finally {
          bar.stop();
          for (const signal of signals) process.removeListener(signal, stop);
        }
      }),
    );
}
