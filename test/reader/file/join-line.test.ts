import { joinLine } from '../../../reader/file/pdf/lines/join-line.js';
import t from '../../support/t.js';

t.test('a number of an article goes on after its hyphen, an ordinal does not', async (t) => {
  t.equal(joinLine('Order the pump ZB-4100-', 'X2 in spring', true), 'Order the pump ZB-4100-X2 in spring');
  t.equal(
    joinLine('The rooms of block A-', '12th floor only', true),
    'The rooms of block A- 12th floor only',
  );
});
