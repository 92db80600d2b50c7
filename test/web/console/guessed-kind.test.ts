import { guessedKind } from '../../../web/console/src/pages/sources/guessed-kind.js';
import t from '../../support/t.js';

t.test('guesses whether an address leads to a page, a sitemap or a whole site', async (t) => {
  const addresses = {
    site: ['acme.com', 'https://docs.acme.com/', 'http://acme.com:8080', 'https://acme.com/?ref=1'],
    sitemap: ['acme.com/sitemap.xml', 'https://acme.com/map.xml.gz', 'https://acme.com/sitemap_index'],
    url: ['', 'acme', 'https://acme.com/guide', 'https://acme.com/file.pdf', 'https://acme.com/a/#b'],
  };
  for (const [kind, all] of Object.entries(addresses))
    for (const address of all) t.equal(guessedKind(address), kind, address);
});
