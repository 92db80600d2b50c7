import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import type { Test } from 'tap';
import { openStore } from '../../adapters/sequelize/index.js';
import type { Engine } from './service.js';
import { tempFolder } from './temp-folder.js';

/**
 * Returns where a database contains one of the words: columns of MariaDB, or the bytes of a copy of the SQLite file and
 * its log after a stop.
 */
export const storedWords = (
  t: Test,
  { engine, databaseUrl }: { engine: Engine; databaseUrl: string },
  words: readonly string[],
): Promise<string[]> => (engine === 'mysql' ? inColumns(databaseUrl, words) : inCopy(t, databaseUrl, words));

/** Returns the words in the bytes of a SQLite file and its log. */
export function wordsInFile(file: string, words: readonly string[]): string[] {
  const bytes = ['', '-wal'].flatMap((end) => (existsSync(file + end) ? [readFileSync(file + end)] : []));
  return words.filter((word) => bytes.some((all) => all.includes(word)));
}

export const fileOf = (databaseUrl: string): string => databaseUrl.replace(/^sqlite:/, '');

async function inCopy(t: Test, databaseUrl: string, words: readonly string[]): Promise<string[]> {
  const copy = join(tempFolder(t), 'copy.sqlite');
  for (const end of ['', '-wal']) copyFileSync(fileOf(databaseUrl) + end, copy + end);
  const store = openStore({ url: `sqlite:${copy}`, poolSize: 1, statementTimeoutMs: 15_000 });
  await store.now();
  await store.close();
  return wordsInFile(copy, words);
}

async function inColumns(databaseUrl: string, words: readonly string[]): Promise<string[]> {
  const connection = await createConnection(databaseUrl);
  try {
    const [columns] = await connection.query(
      'SELECT table_name AS tab, column_name AS col FROM information_schema.columns WHERE table_schema = DATABASE()',
    );
    const found: string[] = [];
    for (const { tab, col } of columns as { tab: string; col: string }[])
      for (const word of words) {
        const sql = `SELECT COUNT(*) AS n FROM \`${tab}\` WHERE INSTR(CAST(\`${col}\` AS BINARY), CAST(? AS BINARY)) > 0`;
        const [rows] = await connection.query(sql, [word]);
        if (Number((rows as { n: number }[])[0]?.n) > 0) found.push(`${tab}.${col}: ${word}`);
      }
    return found;
  } finally {
    await connection.end();
  }
}
