import type { Model, ModelStatic, Sequelize } from 'sequelize';
import { agents } from './agents.js';
import { contents, documents, terms } from './documents.js';
import { jobs } from './jobs.js';
import { meta } from './meta.js';
import { tasks } from './tasks.js';
import { discards, uploads } from './uploads.js';
import { workspaces } from './workspaces.js';

const tables = {
  workspaces,
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

/** Models for writing. Migrations create the tables. */
export const defineModels = (sequelize: Sequelize): Models =>
  Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, table.model(sequelize)])) as Models;
