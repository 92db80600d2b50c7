import { createWriteStream, openSync, rmSync, type WriteStream } from 'node:fs';
import type { Command } from 'commander';
import { type ApiOptions, apiOf, withApi } from '../api.js';
import { exportAgent } from '../archive/export-agent.js';
import { importAgent } from '../archive/import-agent.js';
import { readArchive } from '../archive/read-archive.js';
import { idOf } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { progressBar } from '../progress-bar.js';
import type { Speak } from '../speak.js';

/** Creates the file. Throws FILE_INVALID if it exists. */
function newFile(path: string): WriteStream {
  try {
    return createWriteStream(path, { fd: openSync(path, 'wx', 0o600) });
  } catch (error) {
    throw new CliError('FILE_INVALID', `${path} cannot be created: ${(error as Error).message}.`);
  }
}

export function addTo(program: Command, speak: Speak): void {
  withApi(
    program
      .command('export')
      .description(
        'write an agent to an archive, over the API: settings, pictures, sources with texts, kept questions',
      )
      .requiredOption('--agent <id>', 'id of the agent'),
  )
    .option('--to <file>', 'a new file; default: standard output')
    .addHelpText('after', '\nExample: export --agent ID > agent.zip')
    .action((options: ApiOptions & { agent: string; to?: string }, command: Command) =>
      speak(command, async (out) => {
        if (options.to === undefined && (process.stdout.isTTY || out.json))
          throw new CliError('USAGE', 'Redirect the archive to a file, or give --to.', { advises: true });
        const api = apiOf(options);
        const to = options.to === undefined ? process.stdout : newFile(options.to);
        const bar = progressBar(out, 'sources');
        try {
          const at = `/agents/${encodeURIComponent(idOf(options.agent))}`;
          const sources = await exportAgent(api, at, to, bar.show);
          bar.stop();
          if (options.to !== undefined) out.result({ file: options.to, sources });
          else out.note(`${sources} sources.`);
        } catch (error) {
          // Delete the incomplete archive, so that its name is free for another attempt.
          if (options.to !== undefined) rmSync(options.to, { force: true });
          throw error;
        } finally {
          bar.stop();
        }
      }),
    );

  withApi(
    program
      .command('import')
      .description('create an agent from an archive that export has written, over the API')
      .argument('<file>', 'the archive'),
  )
    .addHelpText('after', '\nExample: import agent.zip')
    .action((file: string, options: ApiOptions, command: Command) =>
      speak(command, async (out) => {
        const api = apiOf(options);
        const archive = await readArchive(file);
        const bar = progressBar(out, 'sources');
        try {
          const { id, ...imported } = await importAgent(api, archive, bar.show);
          bar.stop();
          out.result({ agentId: id, ...imported });
          if (imported.unfinished.length > 0)
            out.note('Another import of this archive runs, or was killed. If none runs, delete its agents.');
        } finally {
          bar.stop();
          archive.close();
        }
      }),
    );
}
