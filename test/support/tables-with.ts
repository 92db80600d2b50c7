import { connect } from '../../adapters/sequelize/connect.js';

/** Returns the names of all tables that have a row with this text in any column. */
export async function tablesWith(databaseUrl: string, text: string): Promise<string[]> {
  const { read, dialect, sequelize } = connect({ url: databaseUrl, poolSize: 1, statementTimeoutMs: 60_000 });
  try {
    const tables =
      dialect === 'mysql'
        ? await read(
            'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
            [],
          )
        : await read("SELECT name FROM sqlite_master WHERE type = 'table'", []);
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await read(`SELECT * FROM ${name}`, []);
      const holdsText = (value: unknown): boolean =>
        (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)).includes(text);
      if (rows.some((row) => Object.values(row).some(holdsText))) found.push(String(name));
    }
    return found.sort();
  } finally {
    await sequelize.close();
  }
}
