import type { PluginKind } from '../core/ports/plugin.port.js';

/** Everything that is wrong with the configured plugins, in one message. Holds no secrets. */
export class PluginError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      ['The configured plugins cannot be used:', ...problems.map((problem) => `- ${problem}`)].join('\n'),
    );
    this.name = 'PluginError';
    this.problems = problems;
  }
}

/** A plugin that is fine and could not start; `cause` is its own error. */
export class PluginNotStarted extends Error {
  readonly kind: PluginKind;
  /** As it calls itself. */
  readonly plugin: string;
  constructor(kind: PluginKind, plugin: string, cause: Error) {
    super(`the ${kind} plugin "${plugin}" could not be started: ${cause.message}`, { cause });
    this.plugin = plugin;
    this.name = 'PluginNotStarted';
    this.kind = kind;
  }
}
