import type { Command } from 'commander';
import { failureOf } from '../../core/conversations/answer-failures.js';
import { metadataLines } from '../../core/http/conversations/message-metadata.js';
import { presentMessage } from '../../core/http/conversations/messages.presenter.js';
import { seconds } from '../../core/ports/clock.port.js';
import type { Citation } from '../../core/ports/store/conversations/answer.js';
import { limits } from '../../core/schemas/limits.js';
import { agentOf, idOf } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { escaped } from '../escaped.js';
import { withInstallation } from '../installation.js';
import type { Speak } from '../speak.js';

const sourceLine = ({ sourceId, title, url, documentId }: Citation): string =>
  escaped([`[${sourceId}]`, title.replaceAll(/\s+/g, ' ') || documentId, url ?? ''].join(' ').trimEnd());

export function addTo(program: Command, speak: Speak): void {
  program
    .command('ask')
    .description(
      'ask an agent, like POST …/chat: the conversation is stored, and credits count; Ctrl-C stops the answer',
    )
    .argument('<question>')
    .requiredOption('--agent <id>', 'id of the agent')
    .option('--conversation <id>', 'continue this conversation instead of starting one')
    .addHelpText('after', '\nExample: ask --agent ID "When are you open?"')
    .action((question: string, options: { agent: string; conversation?: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          if (question.trim() === '' || [...question].length > limits.chat.message)
            throw new CliError('USAGE', `A question has 1 to ${limits.chat.message} characters.`);
          const agent = await agentOf(installation, options.agent);
          const { ask } = await import('../ask.js');
          const stopped = new AbortController();
          const stop = () => stopped.abort();
          process.once('SIGINT', stop);
          const { message, conversation } = await ask(installation, {
            agent,
            question,
            conversationId: options.conversation === undefined ? undefined : idOf(options.conversation),
            hear: out.piece,
            note: (text) => out.note(escaped(text)),
            signal: stopped.signal,
          });
          process.removeListener('SIGINT', stop);
          const sources = (message.citations ?? []).map(sourceLine);
          out.result(
            presentMessage(
              message,
              { ...conversation, audience: 'key' },
              {
                toolCalls: new Map(),
                now: seconds(installation.clock.now()),
              },
            ),
            () => ['', ...(sources.length === 0 ? [] : ['', ...sources])].join('\n'),
          );
          for (const line of metadataLines(message)) out.note(`\n${line}`);
          out.note(`\nGo on with: ask --agent ${agent.id} --conversation ${conversation.id} "…"`);
          if (message.status === 'completed') return;
          process.exitCode = 1;
          out.note(
            message.errorCode === null ? 'The answer was stopped.' : failureOf(message.errorCode).message,
          );
        }),
      ),
    );
}
