import { readFileSync } from 'node:fs';
import t from 'tap';
import { pages, pageText } from '../../docs/references/pages.js';

for (const name of Object.keys(pages))
  t.test(`docs/${name} is current (else: npm run docs)`, async (t) => {
    t.equal(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8'), pageText(name));
  });
