import type { Command } from 'commander';
import { type ApiOptions, serviceOf, withApi } from '../api.js';
import { escaped } from '../escaped.js';
import type { Speak } from '../speak.js';

export function addTo(program: Command, speak: Speak): void {
  withApi(program.command('mcp'))
    .description(
      'serve the MCP server of a running service on standard input and output, for desktop clients that start a program; ends when its input is closed',
    )
    .addHelpText('after', '\nExample: CADRE_API_KEY=KEY npx cadre mcp --url https://cadre.example.com')
    .action((options: ApiOptions, command: Command) =>
      speak(command, async () => {
        const service = serviceOf(options);
        const { bridgeMcp } = await import('../bridge-mcp.js');
        // Standard output is reserved for messages of the protocol.
        await bridgeMcp(service, (text) => console.error(escaped(text)));
      }),
    );
}
