import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { type ApiOptions, apiOf, withApi } from '../api.js';
import { idOf } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { escaped } from '../escaped.js';
import type { Output } from '../output.js';
import { progressBar } from '../progress-bar.js';
import type { Speak } from '../speak.js';
import { pathOf } from '../sync/apply.js';
import { type Synced, syncFolder } from '../sync/sync.js';
import { watchFolder } from '../sync/watch.js';
import { textTable } from '../text-table.js';

interface Options extends ApiOptions {
  agent: string;
  name?: string;
  delete?: boolean;
  allowEmpty?: boolean;
  dryRun?: boolean;
  watch?: boolean;
}

const NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns the name of the folder in the external ids of its sources. Throws USAGE. */
function nameOf(folder: string, { name: option, delete: deletes }: Options): string {
  // Two folders with the same name would delete each other's sources.
  if (deletes && option === undefined)
    throw new CliError(
      'USAGE',
      'Give --name with --delete: sources of this name without a file are deleted.',
      {
        advises: true,
      },
    );
  const name = option ?? basename(resolve(folder));
  if (!NAME.test(name))
    throw new CliError('USAGE', 'Give --name with 1 to 64 letters, digits, dots, dashes or underscores.');
  return name;
}

/** Counts the actions that were done, or with a dry run, would be done. */
const countOf = ({ plan, files, done, failures }: Synced, requests: number, isDry: boolean) => {
  const actions = isDry ? plan.actions : done;
  const count = (kind: string): number => actions.filter((action) => action.kind === kind).length;
  return {
    files: files.length,
    unchanged: plan.unchanged,
    added: count('add'),
    updated: count('update'),
    moved: count('move'),
    deleted: count('delete'),
    kept: plan.kept.length,
    failed: failures.length,
    requests,
  };
};

function planTable({ plan }: Synced): string {
  const rows = plan.actions.map((action) => ({
    change: action.kind,
    path: pathOf(action),
    ...('source' in action ? { source: action.source.id } : { source: '' }),
  }));
  return rows.length === 0 ? 'Nothing to change.' : textTable(rows);
}

/** Prints a result. The exit code is 1 for failures, 2 for a dry run with changes, and 130 if it was interrupted. */
function report(out: Output, synced: Synced, requests: number, isDry: boolean): void {
  const { plan, done, failures } = synced;
  const counts = countOf(synced, requests, isDry);
  const left = isDry ? 0 : plan.actions.length - done.length - synced.refused;
  const changes = plan.actions.map((action) => ({ change: action.kind, path: pathOf(action) }));
  out.result({ ...counts, changes, failures }, () =>
    isDry
      ? planTable(synced)
      : `${counts.files} files: ${counts.unchanged} unchanged, ${counts.added} added, ${counts.updated} updated, ${counts.moved} moved, ${counts.deleted} deleted, ${counts.failed} failed (${requests} requests)`,
  );
  for (const { path, error } of failures) out.note(`Not synced: ${escaped(path)}: ${escaped(error)}`);
  if (plan.kept.length > 0)
    out.note(`${plan.kept.length} sources have no file any more. Delete them with --delete.`);
  if (left > 0) {
    out.note(`Interrupted: ${left} changes are left. The next sync continues.`);
    process.exitCode = 130;
  } else if (failures.length > 0) process.exitCode = 1;
  else if (isDry && plan.actions.length > 0) process.exitCode = 2;
}

export function addTo(program: Command, speak: Speak): void {
  withApi(
    program
      .command('sync')
      .description('keep sources of an agent equal to the documents in a folder, over the API')
      .argument('<folder>', 'folder with .pdf, .docx, .xlsx, .pptx, .md and .txt files')
      .requiredOption('--agent <id>', 'id of the agent'),
  )
    .option(
      '--name <name>',
      'name that tells the folder apart from other folders of the agent; default: its own',
    )
    .option('--delete', 'also delete sources whose file is gone')
    .option('--allow-empty', 'with --delete: delete all sources of a folder that has no documents')
    .option('--dry-run', 'only show what would change; exit with 2 if anything would')
    .option('--watch', 'keep running, and sync after each change in the folder')
    .addHelpText('after', '\nExample: sync docs --agent ID --name docs --delete')
    .action((folder: string, options: Options, command: Command) =>
      speak(command, async (out) => {
        const name = nameOf(folder, options);
        const at = `/agents/${encodeURIComponent(idOf(options.agent))}`;
        const stopped = new AbortController();
        const stop = () => stopped.abort();
        const signals = ['SIGINT', 'SIGTERM'] as const;
        for (const signal of signals) process.once(signal, stop);
        const isDry = options.dryRun === true;
        const once = async (): Promise<void> => {
          const api = apiOf(options);
          const bar = progressBar(out, 'files');
          try {
            const synced = await syncFolder(api, {
              at,
              folder,
              name,
              deletes: options.delete === true,
              allowEmpty: options.allowEmpty === true,
              dryRun: isDry,
              onProgress: bar.show,
              signal: stopped.signal,
            });
            bar.stop();
            report(out, synced, api.requests, isDry);
          } finally {
            bar.stop();
          }
        };
        try {
          const onFailure = ({ message }: CliError) => out.note(escaped(message));
          if (options.watch && !isDry)
            await watchFolder(folder, { work: once, onFailure, signal: stopped.signal });
          else await once();
        } finally {
          for (const signal of signals) process.removeListener(signal, stop);
        }
      }),
    );
}
