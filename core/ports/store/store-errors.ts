export class AgentGone extends Error {
  constructor(agentId: string) {
    super(`no agent ${agentId}`);
    this.name = 'AgentGone';
  }
}

/** The database could not execute a statement for a reason other than the statement itself. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is not available', { cause });
    this.name = 'StoreUnavailable';
  }
}

/** The database was overloaded, or a row was locked for too long. Nothing was changed; a retry may help. */
export class StoreBusy extends StoreUnavailable {
  constructor(cause: unknown) {
    super(cause);
    this.name = 'StoreBusy';
  }
}

/** The connection was lost during a commit, so it is unknown whether the changes were made. */
export class OutcomeUnknown extends StoreUnavailable {
  constructor(cause: unknown) {
    super(cause);
    this.name = 'OutcomeUnknown';
  }
}

/** The database has migrations that this version does not know. */
export class DatabaseNewer extends Error {
  readonly code = 'DATABASE_NEWER';
  constructor(migrations: readonly string[]) {
    super(`unknown migrations: ${migrations.join(', ')}`);
    this.name = 'DatabaseNewer';
  }
}

/** The database lacks migrations of versions before the first release, which this version does not contain. */
export class DatabaseTooOld extends Error {
  readonly code = 'DATABASE_TOO_OLD';
  constructor(migrations: readonly string[]) {
    super(`missing migrations: ${migrations.join(', ')}`);
    this.name = 'DatabaseTooOld';
  }
}

/** The Idempotency-Key was used before. The transaction was rolled back. */
export class KeyTaken extends Error {
  override name = 'KeyTaken';
}

/** A part of a turn failed after some of its changes were written, so the turn cannot continue. */
export class TurnSpoiled extends Error {
  constructor(cause: unknown) {
    super('a part of a turn failed after it had written', { cause });
    this.name = 'TurnSpoiled';
  }
}

/** Another request rotated the webhook's secret in the meantime. */
export class SecretChanged extends Error {}
