import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';
import type { Row } from './connect.js';
import type { Models } from './models.js';

/** What can be said inside one transaction: through models, or as SQL of our own with `?` placeholders (a list fills `IN (?)`). */
export interface Statements {
  models: Models;
  transaction: Transaction;
  select(sql: string, params: unknown[]): Promise<Row[]>;
  execute(sql: string, params: unknown[]): Promise<void>;
}

export const statementsIn = (sequelize: Sequelize, models: Models, transaction: Transaction): Statements => ({
  models,
  transaction,
  select: (sql, replacements) =>
    sequelize.query<Row>(sql, { replacements, transaction, type: QueryTypes.SELECT }),
  async execute(sql, replacements) {
    await sequelize.query(sql, { replacements, transaction });
  },
});
