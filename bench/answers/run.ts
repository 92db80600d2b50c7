import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractiveAnswer } from '../../adapters/extractive/answer.js';
import { type AskedAgent, askedAgent } from '../../test/support/asked-agent.js';
import { holds, type QuestionSet, xquadMissing, xquadOf } from '../../test/support/xquad.js';

/*
 * `npm run bench:answers -- [languages]`: how often an answer without a model holds the reference answer, and how many questions are refused
 * whose article is not there. Needs the XQuAD files in ../shared/corpus/retrieval.
 */

const LEAST_COVERAGE = 0.3;
const languages = process.argv.slice(2);

async function withAgent<T>(
  texts: readonly string[],
  measure: (agent: AskedAgent) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-answers-'));
  const agent = await askedAgent(`sqlite:${join(folder, 'answers.sqlite')}`, texts);
  try {
    return await measure(agent);
  } finally {
    await agent.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const share = (count: number, all: number): string => (count / all).toFixed(3);

async function containment({ paragraphs, questions }: QuestionSet, language: string): Promise<object> {
  return withAgent(
    paragraphs.map(({ text }) => text),
    async (agent) => {
      let held = 0;
      let shown = 0;
      let characters = 0;
      for (const { question, answers } of questions) {
        const found = await agent.find(question);
        const answer = (coverage: number) => [...extractiveAnswer({ ...found, coverage }, language)].join('');
        const text = answer(1);
        characters += text.length;
        if (holds(text, answers)) held++;
        if (holds(answer(found.coverage), answers)) shown++;
      }
      return {
        containment: share(held, questions.length),
        'with the threshold': share(shown, questions.length),
        characters: Math.round(characters / questions.length),
      };
    },
  );
}

/** Every second article is taken away, and all questions are asked. */
async function refusals({ paragraphs, questions }: QuestionSet): Promise<object> {
  const articles = [...new Set(paragraphs.map(({ article }) => article))];
  const kept = new Set(articles.filter((_, n) => n % 2 === 0));
  const isKept = (paragraph: number) => kept.has(paragraphs[paragraph]?.article ?? '');
  return withAgent(
    paragraphs.filter(({ article }) => kept.has(article)).map(({ text }) => text),
    async (agent) => {
      const counts = { kept: 0, answerable: 0, refused: 0, unanswerable: 0 };
      for (const { question, paragraph } of questions) {
        const refused = (await agent.find(question)).coverage < LEAST_COVERAGE;
        if (isKept(paragraph)) {
          counts.answerable++;
          if (!refused) counts.kept++;
        } else {
          counts.unanswerable++;
          if (refused) counts.refused++;
        }
      }
      return {
        'answerable kept': share(counts.kept, counts.answerable),
        'unanswerable refused': share(counts.refused, counts.unanswerable),
      };
    },
  );
}

if (xquadMissing !== false) throw new Error(`nothing to measure: ${xquadMissing}`);
const rows: Record<string, object> = {};
for (const language of languages.length > 0 ? languages : ['en', 'de', 'zh']) {
  const set = xquadOf(language);
  rows[language] = { ...(await containment(set, language)), ...(await refusals(set)) };
}
console.table(rows);
