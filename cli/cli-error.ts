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
  NOTHING_TO_RETRY: 'Look at its tasks with `jobs show --job ID`.',
  DATABASE_UNAVAILABLE: 'Check DATABASE_URL or DATA_DIR, and that the database runs.',
  MIGRATIONS_PENDING: 'Run `npm run --silent cli -- migrate` first.',
  INTERNAL: 'This is a fault of the program: report it with what stands on standard error.',
} as const;

export type RefusalCode = keyof typeof refusals;

/** Ends the command with exit status 1. The message says what is wrong, and then what to do; it holds no secrets. */
export class CliError extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(`${message} ${refusals[code]}`, options);
    this.name = 'CliError';
    this.code = code;
  }
}
