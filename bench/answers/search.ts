import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import {
  ndcg10,
  type RetrievalSet,
  retrievalSetsMissing,
  scifact,
  xquad,
  xquadLanguages,
} from '../../test/support/retrieval-sets.js';
import { type SearchInstallation, searchInstallation } from '../../test/support/search-installation.js';

/*
 * `npm run bench:search [-- mysql]`: search quality (nDCG@10) and CPU time per question, through the store and the
 * search engine of the product, on SQLite or on MariaDB or MySQL.
 */

const LIMIT = 30;
const MYSQL = 'mysql://root@127.0.0.1:3306';

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function measure(installation: SearchInstallation, set: RetrievalSet) {
  const filled = cpuMs();
  const { agentId, ids } = await installation.agentWith(set.documents);
  const places = new Map(ids.map((id, n) => [id, n]));
  const cold = cpuMs();
  await installation.search(agentId, set.questions[0]?.text ?? '', LIMIT);
  const warm = cpuMs();
  let sum = 0;
  for (const { text, relevant } of set.questions) {
    const { found } = await installation.search(agentId, text, LIMIT);
    const ranked = found.map(({ hit }) => places.get(hit.documentId) ?? -1);
    sum += ndcg10(ranked, relevant);
  }
  return {
    'nDCG@10': Number((sum / set.questions.length).toFixed(4)),
    documents: set.documents.length,
    'write, ms each': Number(((cold - filled) / set.documents.length).toFixed(2)),
    'first question, ms': Math.round(warm - cold),
    'question with passages, ms': Number(((cpuMs() - warm) / set.questions.length).toFixed(2)),
  };
}

/** A database for this run, and a function that deletes it. */
async function database(engine: string): Promise<{ url: string; drop: () => Promise<void> }> {
  if (engine !== 'mysql') {
    const folder = mkdtempSync(join(tmpdir(), 'cadre-retrieval-'));
    return {
      url: `sqlite:${join(folder, 'bench.sqlite')}`,
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  const name = `cadre_bench_${randomBytes(6).toString('hex')}`;
  const administer = async (sql: string) => {
    const connection = await createConnection(MYSQL);
    await connection.query(sql);
    await connection.end();
  };
  await administer(`CREATE DATABASE ${name}`);
  return { url: `${MYSQL}/${name}`, drop: () => administer(`DROP DATABASE ${name}`) };
}

if (retrievalSetsMissing) console.log(`Nothing to measure: ${retrievalSetsMissing}.`);
else {
  const engine = process.argv[2] === 'mysql' ? 'mysql' : 'sqlite';
  const { url, drop } = await database(engine);
  const installation = await searchInstallation(url);
  const report: Record<string, object> = {};
  for (const set of [...xquadLanguages.map(xquad), scifact()])
    report[set.name] = await measure(installation, set);
  console.log(engine);
  console.table(report);
  await installation.close();
  await drop();
}
