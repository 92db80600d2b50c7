interface Refusal {
  means: string;
  advice: string;
}

/** Errors of commands. Codes are for scripts, messages for people. */
export const refusals = {
  USAGE: {
    means: 'The command or one of its options is not valid.',
    advice: 'See `npx cadre --help` for all commands.',
  },
  CONFIG_INVALID: {
    means: 'Settings, plans or plugins are not valid. Every problem is listed.',
    advice: 'Correct the settings listed.',
  },
  PLAN_UNKNOWN: {
    means: 'There is no such plan.',
    advice: 'Choose one of the plans in config/plans.json.',
  },
  NAME_INVALID: { means: 'The name cannot be used.', advice: 'A name has 1 to 255 characters.' },
  WORKSPACE_NOT_FOUND: {
    means: 'This database has no such workspace.',
    advice: 'List them with `workspace list`.',
  },
  KEY_NOT_FOUND: {
    means: 'The workspace has no such key.',
    advice: 'List them with `key list --workspace ID`.',
  },
  KEY_INVALID: {
    means: 'The key cannot be created: an agent or the expiry time is not valid, or there are too many keys.',
    advice: 'See `key create --help`.',
  },
  USER_NOT_FOUND: {
    means: 'There is no user with this address.',
    advice: 'List them with `user list`.',
  },
  USER_INVALID: {
    means: 'The member cannot be added: the address is not valid or is a member, or there are too many.',
    advice: 'See `user add --help`.',
  },
  OWNER_EXISTS: {
    means: 'The workspace has an owner, so it cannot be set up again.',
    advice: 'Ask an owner for an invitation, or use `user add`.',
  },
  LAST_OWNER: {
    means: 'The user is the last active owner of a workspace.',
    advice: 'Make another owner first with `user add --role owner`.',
  },
  AGENT_NOT_FOUND: {
    means: 'This database has no such agent.',
    advice: 'The API lists the agents of a key: GET /api/v2/agents.',
  },
  CONVERSATION_NOT_FOUND: {
    means: 'The agent has no such conversation with a client of the API.',
    advice: 'Leave out --conversation to start one.',
  },
  BUSY: {
    means: 'The conversation or the model is busy, or the agent has reached its rate limit.',
    advice: 'Try again in a moment.',
  },
  ANSWER_FAILED: {
    means: 'There is no answer: the model failed before it wrote any text.',
    advice: 'Check the model providers with `doctor`.',
  },
  WEBHOOK_NOT_FOUND: {
    means: 'The workspace has no such webhook, or the webhook has no such delivery.',
    advice: 'List them with `webhooks list --workspace ID` and `webhooks deliveries`.',
  },
  WEBHOOK_INVALID: {
    means:
      'The webhook cannot be created, changed or used: its URL or events are not valid, there are too many, or it is disabled.',
    advice: 'See `webhooks create --help`; enable one with `webhooks update --enable`.',
  },
  JOB_NOT_FOUND: { means: 'This database has no such job.', advice: 'List them with `jobs list`.' },
  OVERRIDE_INVALID: {
    means: 'This allowance or feature cannot be set this way.',
    advice: 'See `workspace update --help` for what can be set.',
  },
  NOTHING_TO_RETRY: {
    means: 'No task has failed, or no failed task can run again.',
    advice: 'Look at the tasks of the job with `jobs show --job ID`.',
  },
  DATABASE_UNAVAILABLE: {
    means: 'The database cannot be opened or does not respond.',
    advice: 'Check DATABASE_URL or DATA_DIR, and that the database is running.',
  },
  MIGRATIONS_PENDING: {
    means: 'The database is older than this version.',
    advice: 'Run `npx cadre migrate` first.',
  },
  DATABASE_SERVER: {
    means: 'This command works only with the embedded database, but DATABASE_URL points to a server.',
    advice: "Use the server's own tools. See docs/backup.md.",
  },
  DATABASE_MISSING: {
    means: 'There is no embedded database yet.',
    advice: 'Check DATA_DIR, or start the server once.',
  },
  DATABASE_EXISTS: {
    means: 'A database already exists.',
    advice: 'Add --force to overwrite it.',
  },
  DATABASE_IN_USE: {
    means: 'A server or a command has the database open.',
    advice: 'Stop the server first.',
  },
  ADOPTION_FAILED: {
    means: 'The storage or the queue could not be taken over.',
    advice: 'Check both with `doctor`, then run the command again.',
  },
  INSTALLATION_ALIVE: {
    means: 'The storage or the queue belongs to another installation, whose API processes are running.',
    advice:
      'Stop all processes of that installation; after a crash, wait 90 seconds. Add --force to take both over anyway.',
  },
  FILE_EXISTS: { means: 'The backup file already exists.', advice: 'Choose another name.' },
  BACKUP_INVALID: {
    means: 'The file is missing, damaged, not a backup, or made by a newer version.',
    advice: 'Choose a file made by `backup` of this version or an older one.',
  },
  SERVICE_UNAVAILABLE: {
    means: 'The service does not respond, or not in time.',
    advice: 'Check --url or CADRE_URL, and that the service is running.',
  },
  API_REFUSED: {
    means: 'The API refused a request. The message has its code and its reason.',
    advice: 'See docs/errors.md for the codes of the API.',
  },
  FILE_INVALID: {
    means: 'A file on the command line cannot be read, or has the wrong format.',
    advice: 'See the page about the command in docs.',
  },
  ARCHIVE_INVALID: {
    means: 'The archive is damaged, or was not written by `export`. No agent was created.',
    advice: 'Export the agent again.',
  },
  INTERNAL: {
    means: 'An unexpected error occurred.',
    advice: 'Report it with the output on standard error.',
  },
} as const satisfies Record<string, Refusal>;

export type RefusalCode = keyof typeof refusals;

/**
 * Ends the command with exit status 1. The message says what is wrong and then what to do (`advises`, by default the
 * advice of its code). It contains no secrets.
 */
export class CliError extends Error {
  readonly code: RefusalCode;
  /** Error code of the API, if the API rejected a request. */
  readonly apiCode: string | undefined;
  constructor(
    code: RefusalCode,
    message: string,
    { advises = false, apiCode, ...options }: ErrorOptions & { advises?: boolean; apiCode?: string } = {},
  ) {
    super(advises ? message : `${message} ${refusals[code].advice}`, options);
    this.name = 'CliError';
    this.code = code;
    this.apiCode = apiCode;
  }
}
