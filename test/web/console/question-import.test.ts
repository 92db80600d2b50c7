import { questionsIn } from '../../../web/console/src/pages/agent/evaluations/question-import.js';
import t from '../../support/t.js';

t.test('questions of a spreadsheet', async (t) => {
  t.same(questionsIn('When are you open?\n\nWhere are you?\n'), [
    { question: 'When are you open?', answer: [] },
    { question: 'Where are you?', answer: [] },
  ]);
  t.same(
    questionsIn('How long?\t90 minutes | 1.5 hours\tLamp\r\n'),
    [{ question: 'How long?', answer: [['90 minutes', '1.5 hours']], source: ['Lamp'] }],
    'copied cells',
  );
  t.same(
    questionsIn('\ufeffType,Source,Question\nnumber,,"Red, or ""blue""?\nSay."\n'),
    [{ question: 'Red, or "blue"?\nSay.', type: 'number', answer: [] }],
    'a file with names of columns, and cells in quotation marks',
  );
  t.same(questionsIn('a;b, c;d'), [{ question: 'a', answer: [['b, c']], source: ['d'] }], 'semicolons');
  t.throws(() => questionsIn('one,two\n"three,four'), /A cell is not closed: “"three,four”/);
});

t.test('questions as JSON', async (t) => {
  const questions = [{ question: 'Hello!', unanswerable: true }];
  t.same(questionsIn(JSON.stringify(questions)), questions);
  t.same(questionsIn(JSON.stringify({ questions })), questions);
  t.throws(() => questionsIn('[{'), /not valid JSON/);
});
