import { spokenText } from '../../web/client/spoken-text.js';
import t from '../support/t.js';

t.test('an answer for screen readers has no marks, no citations and no rules of tables', async (t) => {
  t.equal(
    spokenText('# Hours\n\nWe are **open** [1].\n\n| Day | Open |\n| --- | :-: |\n| Monday | yes |\n\n- one'),
    'Hours\n\nWe are open .\n\nDay, Open\nMonday, yes\n\n- one',
  );
});
