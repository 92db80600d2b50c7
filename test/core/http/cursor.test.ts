import { randomBytes } from 'node:crypto';
import { createCursors } from '../../../core/http/pipeline/cursor.js';
import t from '../../support/t.js';

const secret = randomBytes(32);
const cursors = createCursors(secret);
const rows = ['e', 'd', 'c', 'b', 'a'].map((id) => ({ id }));
const pageOf = (list: string, limit: number, of = cursors) =>
  of.page(list, { limit, before: null }, rows, 9, ({ id }) => id);

t.test('a page has at most `limit` items, and its cursor continues after the last one', async (t) => {
  const { data, pagination } = pageOf('list', 4);
  t.strictSame(data, ['e', 'd', 'c', 'b']);
  t.match(pagination, { hasMore: true, total: 9 });
  const cursor = pagination.cursor ?? '';
  t.strictSame(cursors.request('list', { limit: 3, cursor }), { limit: 3, before: 'b' });
  t.strictSame(
    createCursors(secret).request('list', { cursor }),
    { limit: 20, before: 'b' },
    'in another process, too',
  );
});

t.test('the last page has no cursor', async (t) => {
  t.strictSame(pageOf('list', 5).pagination, { cursor: null, hasMore: false, total: 9 });
  t.strictSame(cursors.page('list', { limit: 5, before: null }, [], 0, String).pagination, {
    cursor: null,
    hasMore: false,
    total: 0,
  });
});

t.test('rejects cursors of another list or installation, and any modified cursor', async (t) => {
  const cursor = pageOf('list', 4).pagination.cursor ?? '';
  t.equal(cursors.issued('list', cursor), true);
  t.equal(cursors.issued('list2', cursor), false);
  t.equal(cursors.issued('', cursor), false);
  t.equal(createCursors(randomBytes(32)).issued('list', cursor), false);
  for (let at = 0; at < cursor.length; at += 1) {
    for (const character of ['A', '_', '=', ' ', '\u{1F600}', '']) {
      const other = cursor.slice(0, at) + character + cursor.slice(at + 1);
      if (other !== cursor) t.equal(cursors.issued('list', other), false, other);
    }
  }
  // The last character has bits that are not decoded.
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/') {
    const other = cursor.slice(0, -1) + last;
    if (other !== cursor) t.equal(cursors.issued('list', other), false, other);
  }
  for (const more of ['=', ' ', '\n', 'A', '\0']) t.equal(cursors.issued('list', cursor + more), false);
  t.throws(() => cursors.request('list2', { cursor }), {
    code: 'VALIDATION_INVALID_BODY',
    details: { fieldErrors: { cursor: [String] } },
  });
});
