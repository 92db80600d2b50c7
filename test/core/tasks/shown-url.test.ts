import { shownPage, shownWebhook } from '../../../core/tasks/shown-url.js';
import t from '../../support/t.js';

t.test('hides the query of a page', async (t) => {
  t.equal(
    shownPage('https://docs.acme.com/a?key=secret#part', '?[redacted]'),
    'https://docs.acme.com/a?[redacted]',
  );
  t.equal(shownPage('https://docs.acme.com/a#key=secret', ''), 'https://docs.acme.com/a');
  t.equal(shownPage('https://docs.acme.com/a', '?[redacted]'), 'https://docs.acme.com/a');
});

t.test('shows only the origin of a webhook', async (t) => {
  t.equal(shownWebhook('https://me:secret@hooks.acme.com/secret?key=secret'), 'https://hooks.acme.com');
  t.equal(shownWebhook('secret'), '[no URL]');
});
