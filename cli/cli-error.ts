/** Everything that a command can refuse, with what to do next. Codes are for scripts, messages for people. */
export const refusals = {
  USAGE: 'Run `npm run --silent cli -- --help` for all commands.',
  CONFIG_INVALID: 'Correct the settings that are listed.',
  PLAN_UNKNOWN: 'Choose one of the plans in config/plans.json.',
  NAME_INVALID: 'A name has 1 to 255 characters.',
  WORKSPACE_NOT_FOUND: 'List them with `workspace list`.',
  KEY_NOT_FOUND: 'List them with `key list --workspace ID`.',
  JOB_NOT_FOUND: 'List them with `jobs list`.',
  OVERRIDE_INVALID: 'See `workspace update --help` for what can be set.',
  NOTHING_TO_RETRY: 'Only failed pages can be tried again; upload failed files again.',
  DATABASE_UNAVAILABLE: 'Check DATABASE_URL and that the server runs.',
  MIGRATIONS_PENDING: 'Run `npm run --silent cli -- migrate` first.',
  INTERNAL: 'Run it again with LOG_LEVEL=debug, and report what it prints.',
} as const;

export type RefusalCode = keyof typeof refusals;

export class CliError extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(`${message} ${refusals[code]}`, options);
    this.name = 'CliError';
    this.code = code;
  }
}
