import type { Command } from 'commander';
import { presentHits } from '../../core/http/search/search.presenter.js';
import { silentLog } from '../../core/ports/log.port.js';
import { ask } from '../../core/retrieval/ask.js';
import { createSearch } from '../../core/retrieval/search.js';
import { limits } from '../../core/schemas/limits.js';
import { agentOf } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { withInstallation } from '../installation.js';
import type { Speak } from '../speak.js';
import { textTable } from '../text-table.js';

const EXCERPT = 100;
const NOT_COVERED = 'Probably no source covers the question.';

export function addTo(program: Command, speak: Speak): void {
  program
    .command('search')
    .description('show what an agent finds for a question, like POST …/search')
    .argument('<query>')
    .requiredOption('--agent <id>', 'id of the agent')
    .option('--limit <n>', 'maximum number to show', String(limits.hits.default))
    .addHelpText('after', '\nExample: search --agent ID "When are you open?"')
    .action((query: string, options: { agent: string; limit: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const limit = /^\d{1,3}$/.test(options.limit) ? Number(options.limit) : 0;
          if (limit < limits.hits.min || limit > limits.hits.max)
            throw new CliError('USAGE', `--limit is a number from ${limits.hits.min} to ${limits.hits.max}.`);
          const agent = await agentOf(installation, options.agent);
          const { withPorts } = await import('../ports.js');
          const result = await withPorts(installation, ['retrieval'], silentLog, async ({ retrieval }) => {
            const search = createSearch(retrieval, installation.store.reads);
            return presentHits(await ask(search, { agent, question: query, limit, sourceTypes: null }));
          });
          out.result(result, () => {
            const table = textTable(
              result.data.map(({ score, title, start, text }) => ({
                score: score.toFixed(2),
                title,
                start,
                text: text.replace(/\s+/g, ' ').slice(0, EXCERPT),
              })),
            );
            return result.covered || table === '' ? table : `${table}\n\n${NOT_COVERED}`;
          });
        }),
      ),
    );

  program
    .command('reindex')
    .description('rebuild the search index in the background of a running server; searches keep working')
    .option('--agent <id>', 'only documents of this agent')
    .option('--status', 'only show how much is left')
    .addHelpText('after', '\nExample: reindex --status')
    .action((options: { agent?: string; status?: boolean }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const { indexing, operations } = installation.store;
          if (!options.status) {
            const agentIds =
              options.agent === undefined
                ? await operations.agentIds()
                : [(await agentOf(installation, options.agent)).id];
            for (const agentId of agentIds) await indexing.reopen(agentId);
            out.note('A running server starts on this within seconds. Follow it with `reindex --status`.');
          }
          out.result(await indexing.left());
        }),
      ),
    );
}
