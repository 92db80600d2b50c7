import { basename, extname } from 'node:path';
import type { Api } from '../api.js';
import { CliError } from '../cli-error.js';
import { uploadFile } from '../upload-file.js';
import { type LocalFile, readDocument, type Unreadable } from './folder.js';
import { type Action, externalIdOf, type SyncedSource } from './plan.js';

export interface Applied {
  done: Action[];
  failures: Unreadable[];
}

interface Applying {
  api: Api;
  /** Path of the agent in the API. */
  at: string;
  folder: string;
  /** Name of the folder in the external ids of its sources. */
  name: string;
  onDone: (done: number) => void;
  signal: AbortSignal;
}

const AT_ONCE = 4;

/** Executes the actions of a plan, several at a time, until the signal aborts. */
export async function applyActions(actions: readonly Action[], applying: Applying): Promise<Applied> {
  const failures: Unreadable[] = [];
  const done: Action[] = [];
  const open = [...actions];
  const work = async (): Promise<void> => {
    for (let action = open.shift(); action && !applying.signal.aborted; action = open.shift()) {
      try {
        await apply(action, applying);
        done.push(action);
      } catch (error) {
        // An error that the API returns for one file need not affect the next one.
        if (!(error instanceof CliError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
        failures.push({ path: pathOf(action), error: error.message });
      }
      applying.onDone(done.length + failures.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, failures };
}

export const pathOf = (action: Action): string =>
  action.kind === 'delete' ? action.source.path : action.file.path;

async function apply(action: Action, applying: Applying): Promise<void> {
  switch (action.kind) {
    case 'add':
      return add(action.file, applying);
    case 'update':
      return update(action.file, action.source, applying);
    case 'move':
      return move(action.file, action.source, applying);
    case 'delete':
      return remove(action.source, applying);
  }
}

async function add(file: LocalFile, applying: Applying): Promise<void> {
  const { api, at, folder, name } = applying;
  const document = readDocument(folder, file);
  const externalId = externalIdOf(name, file);
  if (document.kind === 'file') {
    await uploadFile(api, at, { fileName: basename(file.path), bytes: document.bytes, externalId });
    return;
  }
  const { title, content } = document;
  await api.send('POST', `${at}/sources/text`, { title, content, externalId });
}

/**
 * Updates a text in place. For a file, adds the new one before it deletes the old one, so that the agent always has one
 * of them.
 */
async function update(file: LocalFile, source: SyncedSource, applying: Applying): Promise<void> {
  const { api, at, folder, name } = applying;
  const document = readDocument(folder, file);
  if (document.kind === 'file' || !source.isText) {
    await add(file, applying);
    return remove(source, applying);
  }
  const { title, content } = document;
  await api.send('PATCH', `${at}/sources/${source.id}`, {
    title,
    content,
    externalId: externalIdOf(name, file),
  });
}

/** Changes the title of a text, and also its content if the new extension is read differently. */
async function move(file: LocalFile, source: SyncedSource, applying: Applying): Promise<void> {
  const { api, at, folder, name } = applying;
  const document = readDocument(folder, file);
  const keepsName = basename(file.path) === basename(source.path);
  if (document.kind === 'file' ? source.isText || !keepsName : !source.isText)
    return update(file, source, applying);
  const keepsKind = extname(file.path).toLowerCase() === extname(source.path).toLowerCase();
  await api.send('PATCH', `${at}/sources/${source.id}`, {
    ...(document.kind === 'text' ? { title: document.title } : {}),
    ...(document.kind === 'text' && !keepsKind ? { content: document.content } : {}),
    externalId: externalIdOf(name, file),
  });
}

async function remove({ id }: SyncedSource, { api, at }: Applying): Promise<void> {
  try {
    await api.send('DELETE', `${at}/sources/${id}`);
  } catch (error) {
    const isGone = error instanceof CliError && error.apiCode === 'RESOURCE_DOCUMENT_NOT_FOUND';
    if (!isGone) throw error;
  }
}
