import type { Model, ModelStatic, Sequelize } from 'sequelize';
import { agents } from './tables/agents.js';
import { contents, documents, terms } from './tables/documents.js';
import { jobs } from './tables/jobs.js';
import { meta } from './tables/meta.js';
import { tasks } from './tables/tasks.js';
import { discards, uploads } from './tables/uploads.js';
import { apiKeys, workspaces } from './tables/workspaces.js';

const tables = {
  workspaces,
  apiKeys,
  agents,
  documents,
  contents,
  terms,
  uploads,
  discards,
  jobs,
  tasks,
  meta,
} as const;

export type Models = Record<keyof typeof tables, ModelStatic<Model>>;

/** For writing. The tables themselves are made by migrations. */
export const defineModels = (sequelize: Sequelize): Models =>
  Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, table.model(sequelize)])) as Models;
