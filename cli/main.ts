#!/usr/bin/env node
import { CommanderError } from 'commander';
import { CliError } from './cli-error.js';
import { readersMayLeave, refuse } from './output.js';
import { createProgram } from './program.js';
import { speak } from './speak.js';

/* The command line for operators. It opens the database itself, even while a server is running. */

const json = process.argv.includes('--json');
let help = '';

const program = await createProgram(process.argv.slice(2), speak, {
  write: (text) => {
    help += text;
  },
  complain: (text) => (json ? undefined : process.stderr.write(text)),
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) refuse(error, json);
  else if (error.exitCode === 0) {
    readersMayLeave();
    const name = error.code === 'commander.version' ? 'version' : 'help';
    process.stdout.write(json ? `${JSON.stringify({ [name]: help.trimEnd() })}\n` : help);
  } else {
    if (json) refuse(new CliError('USAGE', usageProblem(error)), true);
    process.exitCode = 1;
  }
}

/** Commander's message begins with `error:` and may have a suggestion on a second line. */
function usageProblem({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'The command is incomplete.';
  const sentence = message.replace(/^error: /, '').replaceAll('\n', ' ');
  return /[.)]$/.test(sentence) ? sentence : `${sentence}.`;
}
