import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/*
 * Preloaded by servers of a test. Kills the process before a commit of a kind at which no process has died yet, among those
 * that write to tables whose names contain `DIES_AT`, by default those of the social channel. The kind of a transaction is its writing statements with their words, such as states, but without ids,
 * texts and numbers. `DIED_AT` names a folder, which gets a file for each kind; servers of one test share it.
 */

const folder = process.env.DIED_AT;
const tables = process.env.DIES_AT ?? 'channel_';

const WORD = /^[a-z_]{3,24}$/;
const WRITES = /^\s*(INSERT|UPDATE|DELETE)/i;

/** Without values that differ from person to person, however many rows there are. */
const kindOf = (sql, params) => {
  let next = 0;
  const filled = sql.replaceAll('?', () => `'${params[next++]}'`);
  return filled
    .replace(/'((?:[^'\\]|\\.|'')*)'/g, (_, value) => (WORD.test(value) ? value : '?'))
    .replace(/\b\d+\b|\bNULL\b|\bnull\b/g, '?')
    .replace(/\?(?:,\s*\?)+/g, '?')
    .replace(/\([^()]*\)(?:,\s*\([^()]*\))+/g, '(?)');
};

function dieBeforeCommit(kinds) {
  const kind = [...new Set(kinds)].join('\n');
  if (!kind.includes(tables)) return;
  const name = createHash('sha256').update(kind).digest('hex').slice(0, 16);
  try {
    writeFileSync(join(folder, name), kind, { flag: 'wx' });
  } catch {
    return;
  }
  process.kill(process.pid, 'SIGKILL');
}

/** Returns a function that is called with each statement of one connection. */
function trackTransactions() {
  let kinds = null;
  return (text, params = []) => {
    for (const sql of params.length === 0 ? text.split(';') : [text]) {
      if (/^\s*(BEGIN|START TRANSACTION)/i.test(sql)) kinds = [];
      else if (/^\s*ROLLBACK/i.test(sql)) kinds = null;
      else if (/^\s*COMMIT/i.test(sql)) {
        dieBeforeCommit(kinds ?? []);
        kinds = null;
      } else if (WRITES.test(sql)) {
        if (kinds) kinds.push(kindOf(sql, params));
        else dieBeforeCommit([kindOf(sql, params)]);
      }
    }
  };
}

/** The class of an SQLite driver. Its methods cannot be replaced, so each statement gets its own. */
const trackingClass = (Database) =>
  class extends Database {
    #track = trackTransactions();

    prepare(sql, ...more) {
      const statement = super.prepare(sql, ...more);
      for (const name of ['run', 'all']) {
        const real = statement[name];
        const value = (...params) => {
          this.#track(sql, params);
          return real.apply(statement, params);
        };
        Object.defineProperty(statement, name, { value });
      }
      return statement;
    }

    exec(sql) {
      this.#track(sql);
      return super.exec(sql);
    }
  };

if (folder && process.env.ROLES !== 'worker') {
  const { Connection } = createRequire(import.meta.url)('mysql2');
  const trackers = new WeakMap();
  for (const name of ['query', 'execute']) {
    const real = Connection.prototype[name];
    Connection.prototype[name] = function (statement, params, ...more) {
      if (!trackers.has(this)) trackers.set(this, trackTransactions());
      const sql = typeof statement === 'string' ? statement : statement.sql;
      if (typeof sql === 'string') trackers.get(this)(sql, Array.isArray(params) ? params : []);
      return real.call(this, statement, params, ...more);
    };
  }
  // The driver's module keeps what its binary exports.
  const { dlopen } = process;
  process.dlopen = (module, ...more) => {
    dlopen(module, ...more);
    const { DatabaseSync } = module.exports;
    if (DatabaseSync) module.exports = { ...module.exports, DatabaseSync: trackingClass(DatabaseSync) };
  };
}
