import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type RetrievalSet,
  retrievalSetsMissing,
  scifact,
  xquad,
  xquadLanguages,
} from '../../test/support/retrieval-sets.js';
import { type SearchInstallation, searchInstallation } from '../../test/support/search-installation.js';

/*
 * `npm run bench:coverage`: whether agents of several sizes know what they know. Each agent gets some paragraphs of
 * XQuAD, and is asked about them and about paragraphs of other articles. Larger agents also get abstracts of SciFact.
 */

interface Size {
  /** Documents of an agent. */
  documents: number;
  /** Paragraphs of XQuAD among them. */
  paragraphs: number;
  /** Number of agents. */
  agents: number;
}

const sizes: readonly Size[] = [
  { documents: 1, paragraphs: 1, agents: 40 },
  { documents: 12, paragraphs: 12, agents: 12 },
  { documents: 150, paragraphs: 150, agents: 1 },
  { documents: 3500, paragraphs: 120, agents: 1 },
];
/** Questions about other articles, per agent. */
const FOREIGN = 60;
/** Paragraphs this near may be of the same article. */
const SAME_ARTICLE = 5;

type Support = 'covered' | 'near' | 'none';
type Counts = Record<Support, number>;

const share = (counts: Counts, support: Support): string => {
  const all = counts.covered + counts.near + counts.none;
  return `${((100 * counts[support]) / all).toFixed(1)} %`;
};

async function measure(
  installation: SearchInstallation,
  set: RetrievalSet,
  padding: RetrievalSet,
  { documents, paragraphs, agents }: Size,
) {
  const own: Counts = { covered: 0, near: 0, none: 0 };
  const foreign: Counts = { covered: 0, near: 0, none: 0 };
  const find = installation.finder();
  const step = Math.floor((set.documents.length - paragraphs) / agents);
  for (let n = 0; n < agents; n++) {
    const first = n * step;
    const known = set.documents.slice(first, first + paragraphs);
    const { agentId } = await installation.agentWith([
      ...known,
      ...padding.documents.slice(0, documents - paragraphs),
    ]);
    const place = ({ relevant: [paragraph = 0] }: RetrievalSet['questions'][number]) => paragraph - first;
    const isOwn = (at: number) => at >= 0 && at < paragraphs;
    const isForeign = (at: number) => at < -SAME_ARTICLE || at >= paragraphs + SAME_ARTICLE;
    const others = set.questions.filter((question) => isForeign(place(question)));
    const every = Math.max(1, Math.floor(others.length / (agents === 1 ? others.length : FOREIGN)));
    const ask = async (counts: Counts, questions: RetrievalSet['questions']) => {
      for (const { text } of questions) counts[(await find(agentId, text)).support] += 1;
    };
    await ask(
      own,
      set.questions.filter((question) => isOwn(place(question))),
    );
    await ask(
      foreign,
      others.filter((_, at) => at % every === 0),
    );
  }
  return {
    documents,
    'own covered': share(own, 'covered'),
    'own near': share(own, 'near'),
    'foreign covered': share(foreign, 'covered'),
    'foreign near': share(foreign, 'near'),
  };
}

if (retrievalSetsMissing) console.log(`Nothing to measure: ${retrievalSetsMissing}.`);
else {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-coverage-'));
  const installation = await searchInstallation(`sqlite:${join(folder, 'bench.sqlite')}`);
  const padding = scifact();
  for (const set of xquadLanguages.map(xquad)) {
    console.log(set.name);
    const rows = [];
    for (const size of sizes) rows.push(await measure(installation, set, padding, size));
    console.table(rows);
  }
  await installation.close();
  rmSync(folder, { recursive: true, force: true });
}
