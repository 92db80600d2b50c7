import { writeFileSync } from 'node:fs';
import { pages, pageText } from './pages.js';

for (const name of Object.keys(pages)) writeFileSync(new URL(`../${name}`, import.meta.url), pageText(name));
