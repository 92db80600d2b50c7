import { extractiveAnswer } from '../../../adapters/extractive/answer.js';
import type { Passage } from '../../../core/knowledge/text/passages.js';
import { foundIn } from '../../support/found.js';
import t from '../../support/t.js';

const answer = (question: string, ...passages: (Partial<Passage> & { text: string })[]) =>
  [
    ...extractiveAnswer({
      question,
      found: { ...foundIn(question, passages), support: 'covered' },
      language: 'en',
      smallTalk: null,
    }),
  ].join('');

const returns = (items: readonly string[]) => ({
  title: 'Returns',
  text: [
    '# Returns\n\nYou may send back what you do not like within 45 days.',
    `## What cannot be returned?\n\n${items.map((item) => `- ${item}`).join('\n')}`,
    'The refund is paid to your card.',
  ].join('\n\n'),
});

t.test('a list is quoted with the heading that gives it its meaning', async (t) => {
  const items = ['Gas', 'Personalised items, such as engraved phone cases', 'Vouchers'];
  const short =
    '**What cannot be returned?**\n\n- Gas\n- Personalised items, such as engraved phone cases\n- Vouchers\n\nThe refund is paid to your card. [1]';
  t.equal(answer('What cannot be returned?', returns(items)), short, 'a short section is quoted whole');
  const others = Array.from({ length: 20 }, (_, n) => `Part ${n} of a set that was opened`);
  t.equal(
    answer('Can I return an engraved case?', returns([...items, ...others])),
    '**What cannot be returned?**\n\n- Personalised items, such as engraved phone cases\n\n[1]',
  );
});

t.test('of a long list, the items that match are quoted with its lead', async (t) => {
  const items = Array.from({ length: 40 }, (_, n) => `- Part ${n} of colour ${n % 2 ? 'red' : 'blue'}`);
  const text = `We sell these spare parts:\n${items.join('\n')}\n- The green lid with a hinge`;
  t.equal(
    answer('Do you sell a green lid?', { text }),
    'We sell these spare parts:\n\n- The green lid with a hinge\n\n[1]',
  );
  const many = answer('Which spare parts do you sell?', { text });
  t.match(many, /^We sell these spare parts:\n\n- Part 0 of colour blue\n- Part 1 /);
  t.ok(many.length < 800, `${many.length}`);
});

const prices =
  '| Method | Cost | Time |\n| --- | --- | --- |\n| Standard | £3.95 | 3 to 4 days |\n| Express | £8.50 | next day |';

t.test('a table row is quoted with its header, several rows as a table', async (t) => {
  t.equal(
    answer('How much is express?', { text: prices }),
    '- Method: Express\n- Cost: £8.50\n- Time: next day\n\n[1]',
  );
  t.equal(answer('Cost of each method?', { text: prices }), `${prices}\n\n[1]`);
  t.equal(
    answer('How many bears in January?', { text: 'Month\tBears\tWhales\nJanuary\t8\t80\nMay\t9\t70' }),
    'January, Bears: 8\n\n[1]',
  );
});

t.test('code is quoted whole, with the sentence above it, and its brackets are no footnotes', async (t) => {
  const code = '```js\nconst jobs = await queue.failed();\n\nretry(jobs[0]);\n```';
  t.equal(
    answer('How do I retry a failed job?', {
      text: `# Jobs\n\nRetry a job that failed:\n\n${code}\n\nDone.`,
    }),
    `Retry a job that failed:\n\n${code}\n\n[1]`,
  );
});

t.test('of long code, the matching part is quoted', async (t) => {
  const filler = Array.from({ length: 40 }, (_, n) => `const value${n} = compute(${n});`).join('\n');
  const text = `\`\`\`\n${filler}\n\nqueue.drain({ force: true });\n\`\`\``;
  t.equal(answer('drain the queue', { text }), '```\nqueue.drain({ force: true });\n```\n\n[1]');
});

t.test('a field is quoted with its label', async (t) => {
  const rest = Array.from({ length: 10 }, (_, n) => `Entry ${n}: a value that does not matter`).join('\n');
  t.equal(
    answer('What is the weight?', { text: `Power: 1450 W\nWeight: 8.7 kg\n${rest}` }),
    '- Weight: 8.7 kg\n\n[1]',
  );
});

t.test('a label is quoted with the value on the line below it', async (t) => {
  const text = 'PAYMENT METHOD\nVisa Card ending in 4782\nRef: 1234\n\nREWARDS MEMBER\nSarah Mitchell';
  t.equal(
    answer('Which payment method was used?', { text }),
    'PAYMENT METHOD  \nVisa Card ending in 4782  \nRef: 1234\n\nREWARDS MEMBER  \nSarah Mitchell [1]',
  );
});

t.test('two columns are labels with values', async (t) => {
  const text = 'Weight | 8 kg\nHeight of the lid | 20 cm';
  t.equal(answer('What is the weight?', { text }), '- Weight: 8 kg\n\n[1]');
  t.equal(
    answer('unit cost of SKU-7', { text: 'Code Kind\tUnit cost\nSKU-6\tTool\t$5.00\nSKU-7\tToy\t$9.00' }),
    'Code Kind · Unit cost  \nSKU-7 · Toy · $9.00\n\n[1]',
  );
});

t.test('an entry that is not quite the question is quoted from its answer', async (t) => {
  const text = 'Q: Do you rent tents?\nA: We rent tents by the weekend. A stove is £5.';
  const shown = answer('What does a stove cost for a weekend?', { sourceType: 'qna_entry', text });
  t.match(shown, /We rent tents by the weekend\. A stove is £5\. \[1\]$/);
  t.notMatch(shown, /^Q:|A:/m);
});

t.test('a question for a number prefers sentences with one', async (t) => {
  const rest = 'It has many uses, and its makers say that they are proud of it. '.repeat(6);
  const text = `The lamp is charged with a cable. ${rest}${rest}The lamp is charged in 90 minutes.`;
  t.match(answer('How long is the lamp charged?', { text }), /90 minutes/);
  t.match(answer('Wie lange, the lamp is charged?', { text }), /90 minutes/);
});

t.test('a section is quoted if the question names its heading, although others mention it', async (t) => {
  const text =
    '# Plans\n\n## Basic\n\n£19 a month\n\n- Gym floor\n- Lockers\n\n## Plus\n\n£29 a month\n\n- Everything in Basic\n- All classes';
  t.equal(
    answer('How much is Basic?', { text }),
    '**Basic**\n\n£19 a month\n\n- Gym floor\n- Lockers\n\n[1]',
  );
});

t.test('the titles of columns may hold the number that a question asks for', async (t) => {
  const text =
    '| Day | 9:00 | 18:30 |\n| --- | --- | --- |\n| Monday | Yoga | Boxing |\n| Tuesday | Pilates | Yoga |\n| Friday | Spin | Core |\n\nYou can borrow mats for yoga.';
  t.match(answer('When is yoga?', { text }), /\| Monday \| Yoga .*\n\| Tuesday .*\n\n\[1\]$/);
});
