import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { extractiveAnswer } from '../../../adapters/extractive/answer.js';
import { readFile } from '../../../reader/read-file.js';
import { extractPage } from '../../../workers/threads/page.thread.js';
import { type Folder, folders, readFolder } from '../../support/corpus/files.js';
import { inCorpus, missingFromCorpus } from '../../support/corpus/folder.js';
import { type CorpusQuestion, corpusAgents } from '../../support/corpus/questions.js';
import { searchInstallation } from '../../support/search-installation.js';
import t from '../../support/t.js';
import { tempFolder } from '../../support/temp-folder.js';

interface Source {
  name: string;
  title: string;
  text: string;
}

async function readSource(name: string): Promise<Source | null> {
  const path = name.startsWith('html/') ? inCorpus(name, 'source.html') : inCorpus(name);
  const bytes = new Uint8Array(readFileSync(path));
  if (name.startsWith('html/')) {
    const page = extractPage({ bytes, contentType: 'text/html', url: `https://site.example/${name}` });
    return page.ok ? { name, title: page.extraction.title ?? '', text: page.extraction.text } : null;
  }
  const file = await readFile({ bytes, fileName: basename(name) });
  return file.ok ? { name, title: file.content.title ?? basename(name), text: file.content.text } : null;
}

const isFolder = (name: string): name is Folder => (folders as readonly string[]).includes(name);

async function readSources(names: readonly string[]): Promise<Source[]> {
  const paths = names.flatMap((name) =>
    isFolder(name) ? readFolder(name).map(({ file }) => `${name}/${file}`) : [name],
  );
  const sources: Source[] = [];
  for (const path of paths) {
    const source = await readSource(path);
    if (source !== null) sources.push(source);
  }
  return sources;
}

type Verdict = 'right' | 'partly' | 'wrong' | 'refused';

const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s|]+/g, ' ');

function judge({ answer, source }: CorpusQuestion, text: string, cited: readonly string[]): Verdict {
  if (cited.length === 0) return 'refused';
  if (!cited.includes(source)) return 'wrong';
  const shown = folded(text);
  const isMet = answer.every((group) => group.some((one) => shown.includes(folded(one))));
  return isMet ? 'right' : 'partly';
}

t.test(
  'questions about real pages and files get answers from the right place',
  { skip: missingFromCorpus('html') },
  async (t) => {
    const counts = { right: 0, partly: 0, wrong: 0, refused: 0 };
    const withheld = { refused: 0, asked: 0 };
    const installation = await searchInstallation(`sqlite:${join(tempFolder(t), 'corpus.sqlite')}`);
    t.teardown(() => installation.close());
    const find = installation.finder();
    for (const { language, sources: names, questions } of corpusAgents) {
      const sources = await readSources(names);
      const { agentId, ids } = await installation.agentWith(sources);
      for (const asked of questions) {
        const found = await find(agentId, asked.question);
        const text = [
          ...extractiveAnswer({ question: asked.question, found, language, smallTalk: null }),
        ].join('');
        const cited = [...text.matchAll(/\[(\d)\](?!\()/g)].flatMap(([, number]) => {
          const passage = found.passages[Number(number) - 1];
          return passage === undefined ? [] : [sources[ids.indexOf(passage.documentId)]?.name ?? ''];
        });
        const verdict = judge(asked, text, found.support === 'covered' ? cited : []);
        t.comment(`${verdict}: ${asked.question}`);
        if (asked.source !== '') counts[verdict]++;
        else {
          withheld.asked++;
          if (verdict === 'refused') withheld.refused++;
        }
      }
    }
    const all = counts.right + counts.partly + counts.wrong + counts.refused;
    t.comment(JSON.stringify({ ...counts, withheld }));
    t.ok(counts.right >= 0.75 * all, `${counts.right} of ${all} right`);
    t.ok(counts.wrong <= 0.05 * all, `${counts.wrong} of ${all} wrong`);
    t.ok(
      withheld.refused >= 0.7 * withheld.asked,
      `${withheld.refused} of ${withheld.asked} unanswerable questions refused`,
    );
  },
);
