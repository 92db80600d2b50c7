import { readdirSync, readFileSync } from 'node:fs';
import { changed } from '../../adapters/bm25-index/agent-index.js';
import { bytesOf } from '../../core/retrieval/index/index-part.js';
import { contentUnder, indexText } from '../../core/retrieval/index-text.js';
import { projectFile } from '../../test/support/project-folder.js';
import { shown } from '../figures.js';

/* Memory and disk per chunk of the built-in search engine, with this project's own documentation as the texts. */

const MIB = 1_048_576;
const folders = ['docs', 'docs/decisions'];

const contents = folders.flatMap((folder) =>
  readdirSync(projectFile(folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => contentUnder(name, indexText(readFileSync(projectFile(`${folder}/${name}`), 'utf8')))),
);
const chunksOf = contents.reduce((sum, { chunks }) => sum + chunks.length, 0);
const textBytes = contents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
const segmentBytes = contents.reduce((sum, { segment }) => sum + segment.byteLength, 0);
console.log(
  `${contents.length} documents, ${chunksOf} chunks; ${shown(textBytes / chunksOf)} bytes of text and ${shown(segmentBytes / chunksOf)} bytes of stored index for each chunk`,
);

for (const copies of [1, 10, 100]) {
  const documents = Array.from({ length: copies }, (_, copy) =>
    contents.map(({ segment }, n) => ({ id: `${copy}-${n}`, version: 1, sourceType: 1, segment })),
  ).flat();
  const startedAt = performance.now();
  const index = await changed(null, { knowledgeVersion: 1, removals: 0, documents, present: null });
  const ms = performance.now() - startedAt;
  const bytes = index.parts.reduce((sum, part) => sum + bytesOf(part), 0);
  const chunks = copies * chunksOf;
  const fit = Math.floor((256 * MIB) / (bytes / chunks));
  console.log(
    `an agent of ${chunks} chunks: ${shown(bytes / chunks)} bytes of memory each (256 MiB hold ${shown(fit)}), merged in ${shown(ms)} ms`,
  );
}
