import type { PluginKind } from '../core/ports/plugin.port.js';

/** All problems of the configured plugins in one message. Contains no secrets. */
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

/** A valid plugin failed to start. `cause` is the error of the plugin. */
export class PluginNotStarted extends Error {
  readonly kind: PluginKind;
  readonly plugin: string;
  constructor(kind: PluginKind, plugin: string, cause: Error) {
    super(`the ${kind} plugin "${plugin}" could not be started: ${cause.message}`, { cause });
    this.plugin = plugin;
    this.name = 'PluginNotStarted';
    this.kind = kind;
  }
}
