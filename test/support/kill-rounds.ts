import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../adapters/sequelize/index.js';
import { documentsOf } from '../contracts/documents.js';
import { type Client, client, type Job } from './flows.js';
import { sampleFiles } from './sample-files.js';
import { bootstrapKey, type ServerProcess, startServer } from './server-process.js';

/** Errors over all rounds; all must be zero. */
export interface KillFigures {
  rounds: number;
  /** Jobs that did not complete. */
  jobsNotEnded: number;
  tasksFailed: number;
  documentsLost: number;
  documentsDoubled: number;
  /** Difference in bytes between the workspace's counter and its documents. */
  quotaOff: number;
  /** Pages with an outdated stored text. */
  staleTexts: number;
  /** Kills of only the worker. */
  workerKills: number;
}

const PAGES = 30;
const ORIGIN = 'https://docs.kill-rounds.example';

interface Source {
  id: string;
  title: string;
  sourceType: string;
}

/**
 * Kills the service with SIGKILL at a random moment during a retrain of 30 changed pages and a job of 6 files,
 * restarts it, and checks the results; repeatedly on the same data.
 */
export async function killRounds(
  rounds: number,
  report: (round: number, figures: KillFigures) => void = () => {},
): Promise<KillFigures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cadre-kill-'));
  const site = await changingSite();
  const config = {
    crawl: { resolve: { [ORIGIN]: site.origin }, perHostConcurrency: 8 },
    jobs: { backoffBaseMs: 50, backoffMaxMs: 200 },
  };
  const figures: KillFigures = {
    rounds: 0,
    jobsNotEnded: 0,
    tasksFailed: 0,
    documentsLost: 0,
    documentsDoubled: 0,
    quotaOff: 0,
    staleTexts: 0,
    workerKills: 0,
  };
  let server = await startServer({ dataDir, config });
  try {
    const api = () => client(server.baseUrl, bootstrapKey);
    const agent = await api().call<{ id: string }>('POST', '/agents', { name: 'survivor' });
    const first = [];
    for (let n = 0; n < PAGES; n += 1) {
      first.push(
        await api().call<{ jobId: string }>('POST', `/agents/${agent.id}/sources/url`, {
          url: `${ORIGIN}/page-${n}`,
        }),
      );
    }
    for (const { jobId } of first) await api().jobEnd(agent.id, jobId);

    for (let round = 1; round <= rounds; round += 1) {
      site.edition = round;
      const files = await api().addFiles(
        agent.id,
        sampleFiles((kind) => `Round ${round} in a ${kind} file.`),
      );
      const retrain = await api().call<{ jobId: string }>('POST', `/agents/${agent.id}/train`);
      // At any moment: before a worker runs, in the middle of pages and files, or just after.
      await sleep(Math.random() * 2500);
      server = await strike(server, { dataDir, config }, figures, round);
      const ended = [await end(api(), agent.id, files), await end(api(), agent.id, retrain.jobId)];
      figures.rounds = round;
      await judge(api(), agent.id, ended, round, dataDir, figures);
      report(round, figures);
    }
    await server.stop();
  } finally {
    await server.killAll().catch(() => {});
    await site.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
  return figures;
}

/** Every third round kills only the worker; the others kill all processes and restart them. */
async function strike(
  server: ServerProcess,
  options: Parameters<typeof startServer>[0],
  figures: KillFigures,
  round: number,
): Promise<ServerProcess> {
  if (round % 3 === 0) {
    if (server.killWorker()) figures.workerKills += 1;
    return server;
  }
  await server.killAll();
  return startServer(options);
}

async function end(api: Client, agentId: string, jobId: string | number): Promise<Job | null> {
  return api.jobEnd(agentId, jobId).catch(() => null);
}

async function judge(
  api: Client,
  agentId: string,
  jobs: (Job | null)[],
  round: number,
  dataDir: string,
  figures: KillFigures,
): Promise<void> {
  for (const job of jobs) {
    if (job?.status !== 'completed') figures.jobsNotEnded += 1;
    figures.tasksFailed += job?.tasksFailedCount ?? 0;
  }
  const sources = await api.walk<Source>(`/agents/${agentId}/sources`);
  const pages = sources.filter(({ sourceType }) => sourceType === 'web_crawl');
  const uploads = sources.filter(({ sourceType }) => sourceType === 'file_upload');
  figures.documentsLost += Math.max(0, PAGES - pages.length) + Math.max(0, 6 - uploads.length);
  figures.documentsDoubled += Math.max(0, pages.length - PAGES) + Math.max(0, uploads.length - 6);
  for (const { id } of pages) {
    const { text } = await api.call<{ text: string }>('GET', `/agents/${agentId}/sources/${id}/content`);
    if (!text.includes(`Edition ${round}.`)) figures.staleTexts += 1;
  }
  figures.quotaOff += Math.abs(await storageDifference(dataDir));
  for (const { id } of uploads) await api.call('DELETE', `/agents/${agentId}/sources/${id}`);
}

/** The storage counter minus the storage in use. */
async function storageDifference(dataDir: string): Promise<number> {
  const store = openStore({
    url: `sqlite:${join(dataDir, 'cadre.sqlite')}`,
    poolSize: 1,
    statementTimeoutMs: 5000,
  });
  try {
    const [workspace] = await store.workspaces.list();
    if (!workspace) throw new Error('there is no workspace');
    let held = 0;
    for (const agent of await store.reads.agents(workspace.id, { limit: 100, before: null })) {
      for (const row of await documentsOf(store, agent.id)) held += row.bytes;
    }
    return workspace.storageBytes - held;
  } finally {
    await store.close();
  }
}

/** A site whose pages state their edition, and respond slowly. */
async function changingSite() {
  const site = { edition: 0, origin: '', close: async () => {} };
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') {
      response.writeHead(404).end();
      return;
    }
    const { edition } = site;
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(
        `<!doctype html><title>Page ${request.url}</title><main><h1>Page ${request.url}</h1><p>This page explains one thing well. Edition ${edition}.</p></main>`,
      );
    }, 20);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  site.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return site;
}
