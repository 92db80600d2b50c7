import { DatabaseSync as Real } from '@photostructure/sqlite';
import { followed } from './die-before-commit.mjs';

export * from '@photostructure/sqlite';

/** The driver's class. Its methods cannot be replaced, so each statement gets its own. */
export class DatabaseSync extends Real {
  #follow = followed();

  prepare(sql, ...more) {
    const statement = super.prepare(sql, ...more);
    for (const name of ['run', 'all']) {
      const real = statement[name];
      const value = (...params) => {
        this.#follow(sql, params);
        return real.apply(statement, params);
      };
      Object.defineProperty(statement, name, { value });
    }
    return statement;
  }

  exec(sql) {
    this.#follow(sql);
    return super.exec(sql);
  }
}
