import t from 'tap';
import { shownPage, shownWebhook } from '../../../core/tasks/shown-url.js';

t.test('of a page the query is not shown', async (t) => {
  t.equal(
    shownPage('https://docs.acme.com/a?key=secret#part', '?[redacted]'),
    'https://docs.acme.com/a?[redacted]',
  );
  t.equal(shownPage('https://docs.acme.com/a#key=secret', ''), 'https://docs.acme.com/a');
  t.equal(shownPage('https://docs.acme.com/a', '?[redacted]'), 'https://docs.acme.com/a');
});

t.test('of a webhook only the origin is shown', async (t) => {
  t.equal(shownWebhook('https://me:secret@hooks.acme.com/secret?key=secret'), 'https://hooks.acme.com');
  t.equal(shownWebhook('secret'), '[no URL]');
});
