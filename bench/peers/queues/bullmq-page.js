import { createPool } from 'mysql2/promise';
import { request } from 'undici';
import { extractPage } from '../../../dist/workers/threads/page.thread.js';
import { open as openQueue, work as workOn } from './bullmq.js';

/*
 * BullMQ with the work of one of Cadre's tasks: fetches the same page with the same client, parses it with the same
 * code in the worker itself, and stores the result in one row of the same database. No address checks, robots.txt, limits or
 * quotas.
 */

const tableOf = (name) => name.replaceAll('-', '_');
const pool = () => createPool({ uri: process.env.DATABASE_URL, connectionLimit: 10 });

export async function open(name) {
  const database = pool();
  await database.query(
    `CREATE TABLE ${tableOf(name)} (id BIGINT PRIMARY KEY, url VARCHAR(255) NOT NULL, title VARCHAR(300),
      content_hash VARCHAR(64) NOT NULL, text MEDIUMTEXT NOT NULL, chunks MEDIUMTEXT NOT NULL, segment MEDIUMTEXT NOT NULL)`,
  );
  const queue = await openQueue(name);
  return {
    ...queue,
    async close() {
      await queue.close();
      await database.query(`DROP TABLE ${tableOf(name)}`);
      await database.end();
    },
  };
}

async function pageAt(url) {
  const { headers, body } = await request(url);
  const bytes = new Uint8Array(await body.arrayBuffer());
  const page = extractPage({ bytes, contentType: headers['content-type'], url });
  if (!page.ok) throw new Error(`${url} could not be read: ${page.failure.code}`);
  return page;
}

export async function work(name, surroundings) {
  const database = pool();
  const insert = `INSERT INTO ${tableOf(name)} (id, url, title, content_hash, text, chunks, segment) VALUES (?, ?, ?, ?, ?, ?, ?)`;
  await workOn(name, surroundings, async (id) => {
    const url = `${process.env.SITE_URL}/page-${id}`;
    const { contentHash, extraction } = await pageAt(url);
    const { title, text, chunks, segment } = extraction;
    await database.execute(insert, [id, url, title, contentHash, text, JSON.stringify(chunks), segment]);
  });
}
