import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { table } from '../../docs/references/table.js';

const file = fileURLToPath(new URL('../results/retrieval.md', import.meta.url));
const head = `# What a question costs

Written by \`npm run bench:retrieval -- scale\`; \`-- scale mysql\` adds MariaDB or MySQL. Milliseconds of processor of the whole process, over 300 claims of
SciFact, on chunks made of shuffled sentences of its abstracts, ten to a document. *Warm*: the ranking alone, with the index in memory; *with passages*: and the texts read; *cold*:
the first question, for which the index is read and merged.`;

/** Puts the table of this engine into the page, in the place of the one before. */
export function writeScale(engine: string, rows: Record<string, object>): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const others = before
    .split(/^## /m)
    .slice(1)
    .filter((part) => !part.startsWith(`${engine}\n`))
    .map((part) => `## ${part.trim()}`);
  const [first] = Object.values(rows);
  const columns = ['', ...Object.keys(first ?? {})];
  const lines = Object.entries(rows).map(([name, row]) => [name, ...Object.values(row).map(String)]);
  const own = `## ${engine}\n\n${table(columns, lines)}`;
  writeFileSync(file, `${[head, ...[...others, own].sort()].join('\n\n')}\n`);
}
