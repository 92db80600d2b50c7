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
