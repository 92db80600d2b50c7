/** All problems of the configuration. Each says where the value comes from and what to do. Contains no secrets. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The configuration is not valid:', ...problems.map((problem) => `- ${problem}`)].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}
