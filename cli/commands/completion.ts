import { Argument, type Command } from 'commander';
import { completionScripts } from '../completion.js';

export function addTo(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in this shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(completionScripts)))
    .addHelpText('after', '\nExample: source <(npx cadre completion bash)')
    .action((shell: keyof typeof completionScripts) => {
      process.stdout.write(completionScripts[shell](program));
    });
}
