import { readFileSync } from 'node:fs';
import { pages, pageText } from '../../docs/references/pages.js';
import { projectFile } from '../support/project-folder.js';
import t from '../support/t.js';

for (const name of Object.keys(pages))
  t.test(`docs/${name} is current (else: npm run docs)`, async (t) => {
    t.equal(readFileSync(projectFile(`docs/${name}`), 'utf8'), pageText(name));
  });
