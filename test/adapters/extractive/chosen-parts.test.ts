import { extractiveAnswer } from '../../../adapters/extractive/answer.js';
import { foundIn } from '../../support/found.js';
import t from '../../support/t.js';

const answer = (question: string, text: string): string =>
  [
    ...extractiveAnswer({ question, found: foundIn(question, [{ text }]), language: 'en', smallTalk: null }),
  ].join('');

t.test('names the row and the column that a question asks for', async (t) => {
  const table = [
    '| Ferry | Adult | Child | Bicycle |',
    '| --- | --- | --- | --- |',
    '| Northern island | 18.00 € | 9.00 € | 6.50 € |',
    '| Southern island | 24.00 € | 12.00 € | 8.00 € |',
  ].join('\n');
  t.match(
    answer('What does a child pay to the southern island?', table),
    /^Southern island, Child: 12\.00 €\s+\[1\]$/,
  );
  t.match(
    answer('southern island', table),
    /^Southern island, Adult: 24\.00 €, Child: 12\.00 €, Bicycle: 8\.00 €\s+\[1\]$/,
    'no column is named',
  );
});

t.test('never quotes contents, index entries and page heads', async (t) => {
  const manual = [
    'Contents\n\nBallast tanks ........ 4\nKeel bolts ........ 9\n',
    '# Ballast tanks\n\nBallast tanks hold sea water that keeps the boat upright.\n',
    'Boat manual – page 5\n',
    '# Keel bolts\n\nKeel bolts are tightened every spring.\n',
    'Index\n\nballast tanks, 4, 7\nkeel bolts, 9–11\n',
  ].join('\n');
  for (const [question, sentence] of [
    ['What are ballast tanks?', 'Ballast tanks hold sea water'],
    ['keel bolts', 'Keel bolts are tightened'],
  ] as const) {
    const quoted = answer(question, manual);
    t.match(quoted, sentence);
    t.notMatch(quoted, /\.\.\.\.|, \d|page 5/, question);
  }
});

t.test('prefers a denial for a question with a negation', async (t) => {
  const weather = 'It rains in November, as it always has, and it snows in the hills. '.repeat(5);
  const text = `The washer takes wool, silk and cotton fabrics.\n\n${weather}\n\nThe washer does not take leather and fur fabrics.`;
  t.match(answer('Which fabrics does the washer not take?', text), /^The washer does not take leather/);
});

t.test('quotes only the sentence with the number that is asked for', async (t) => {
  const text =
    'Every kayak comes with a paddle and a life jacket. The deposit is 40 € for each kayak. We take cards and cash.';
  t.equal(answer('How much is the deposit?', text), 'The deposit is 40 € for each kayak. [1]');
});

t.test('answers with the definition of a term', async (t) => {
  const weather = 'It rains in November, as it always has, and it snows in the hills. '.repeat(5);
  const text = [
    weather,
    'Each consignment is weighed, and the consignment is then stored.',
    '“Consignment” means all parcels of one sender on one day.',
    'The amount under section 4 (the „Reserve“) is paid back in March. The reserve must be paid before the reserve is used.',
  ].join('\n\n');
  t.match(answer('What is a consignment?', text), /^“Consignment” means/);
  t.match(answer('What is the reserve?', text), /^The amount under section 4/);
});

t.test('prefers the line with all words of the question to lines with some', async (t) => {
  const insurers =
    'We send accounts to the insurers for dogs, cats and rabbits. Bring the policy. The vet signs it.';
  const team = '- Dr Weil: dogs and cats\n- Dr Lis: rabbits and guinea pigs\n- Dr Obi: birds and reptiles';
  const shown = answer('Who is the vet for rabbits?', `# Insurance\n\n${insurers}\n\n# Team\n\n${team}`);
  t.match(shown, 'Dr Lis: rabbits');
  t.notMatch(shown, 'policy');
});

t.test('never quotes an index below its title', async (t) => {
  const manual =
    'Winches are greased once a year with the grease in locker 3.\n\nIndex\nanchors, 2\nmoorings, 3, 8\nwinches, 5';
  t.equal(answer('winches', manual), 'Winches are greased once a year with the grease in locker 3. [1]');
});

t.test('quotes quantities in lists that look like an index', async (t) => {
  const stock = 'Stock\nHelmets, 40\nLocks, 12';
  t.match(answer('How many locks are in stock?', stock), /Locks, 12/);
  t.match(
    answer('How much are croquettes?', 'Croquettes ........ 9\nGazpacho ........ 6'),
    /Croquettes \.+ 9/,
  );
});

t.test('quotes only the line of a list that contains the whole question', async (t) => {
  const list =
    '# Staff\n\n- Ada Holm: boats and sails\n- Ben Rask: courses for beginners\n- Cem Ito: the shop';
  t.equal(
    answer('Who runs the courses for beginners?', list),
    '**Staff**\n\n- Ben Rask: courses for beginners\n\n[1]',
  );
  t.match(answer('Who are your staff?', list), /Ada Holm.*Ben Rask.*Cem Ito/s, 'the heading is asked for');
  const fields = 'Towel: 2.00 €\nKey of a locker: 5.00 €\nUmbrella: 4.00 €';
  t.equal(answer('How much is the key of a locker?', fields), '- Key of a locker: 5.00 €\n\n[1]');
});

t.test('recognises the heading that is asked for behind its number', async (t) => {
  for (const number of ['4', '4.2', '§ 4', '(b)']) {
    const text = `# Terms\n\n## ${number} Fuel\n\nBring the car back with a full tank.\n\n## 5 Tolls\n\nTolls and fuel are yours to pay, as are parking fees and fines during the time of the rental.`;
    t.match(answer('What about fuel?', text), /^\*\*.*Fuel\*\*\n\nBring the car back/, number);
  }
});

t.test('quotes only the row and the column that a follow-up names', (t) => {
  const table =
    '| Hall | Adult | Senior | Seats |\n| --- | --- | --- | --- |\n| Red hall | 90 € | 70 € | 40 |\n| Large hall | 210 € | 150 € | 180 |';
  const shown = (question: string, before: string): string => {
    const found = foundIn(`${question} ${before}`, [{ text: table }]);
    const earlier = new Set(foundIn(before, [{ text: table }]).terms.map(({ term }) => term));
    const terms = found.terms.map((one) =>
      earlier.has(one.term) ? { ...one, weight: one.weight / 2 } : one,
    );
    return [
      ...extractiveAnswer({ question, found: { ...found, terms }, language: 'en', smallTalk: null }),
    ].join('');
  };
  t.equal(shown('And for the red hall?', 'Large, for a senior'), 'Red hall, Senior: 70 €\n\n[1]');
  t.equal(shown('And for a senior?', 'Large hall, adult'), 'Large hall, Senior: 150 €\n\n[1]');
  t.end();
});

t.test('quotes a number without the rest of a short section, and takes no code for a number', async (t) => {
  const section =
    '# Dairy\n\nTwo sisters run the dairy since 1987.\n\nThe dairy is organic since 2011. Cows graze.';
  t.equal(answer('Since what date is the dairy organic?', section), 'The dairy is organic since 2011. [1]');
  const faults =
    '| Code | Fault | Cure |\n| --- | --- | --- |\n| E3 | blocked | rinse the sieve |\n\n# Care\n\nRinse the sieve every two weeks.';
  t.match(answer('How often do I rinse the sieve?', faults), 'every two weeks');
});
