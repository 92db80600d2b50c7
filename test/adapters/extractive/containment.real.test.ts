import { join } from 'node:path';
import { extractiveAnswer } from '../../../adapters/extractive/answer.js';
import { askedAgent } from '../../support/asked-agent.js';
import t from '../../support/t.js';
import { tempFolder } from '../../support/temp-folder.js';
import { holds, xquadMissing, xquadOf } from '../../support/xquad.js';

const PARAGRAPHS = 40;

for (const [language, least] of [
  ['en', 0.92],
  ['de', 0.86],
  ['zh', 0.86],
] as const)
  t.test(`extractive answers contain the expected text (${language})`, { skip: xquadMissing }, async (t) => {
    const { paragraphs, questions } = xquadOf(language);
    const agent = await askedAgent(
      `sqlite:${join(tempFolder(t), 'xquad.sqlite')}`,
      paragraphs.slice(0, PARAGRAPHS).map(({ text }) => text),
    );
    t.teardown(() => agent.close());
    const asked = questions.filter(({ paragraph }) => paragraph < PARAGRAPHS);
    let held = 0;
    for (const { question, answers } of asked) {
      // Coverage 1, because the decision to answer is not tested here.
      const found = { ...(await agent.find(question)), coverage: 1, support: 'covered' } as const;
      if (holds([...extractiveAnswer({ question, found, language, smallTalk: null })].join(''), answers))
        held++;
    }
    t.ok(held / asked.length >= least, `${held} of ${asked.length}`);
  });
