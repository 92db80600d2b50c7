import { lines } from '../../../core/schemas/lines.js';
import t from '../../support/t.js';

t.test('trims lines and drops blank ones, with any line ends', async (t) => {
  t.strictSame(lines(' a \r\n\r\n b\rc\n \u{3000} \nd'), ['a', 'b', 'c', 'd']);
  for (const text of ['', ' ', '\n\n', '\r\n']) t.strictSame(lines(text), []);
  t.strictSame(lines('\ufeffa\u2028b\u00a0\n\u2029 c'), ['a\u2028b', 'c']);
  t.strictSame(lines('a\n \nb\nc', 2), ['a', 'b']);
});
