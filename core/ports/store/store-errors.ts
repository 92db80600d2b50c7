/** The agent does not exist (any more). */
export class AgentGone extends Error {
  constructor(agentId: string) {
    super(`no agent ${agentId}`);
    this.name = 'AgentGone';
  }
}

/** The database did not take or answer a statement, for a reason that lies outside of the statement. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is not available', { cause });
    this.name = 'StoreUnavailable';
  }
}

/** The database was too busy, or a row was locked for too long: nothing was changed, and trying again helps. */
export class StoreBusy extends StoreUnavailable {
  constructor(cause: unknown) {
    super(cause);
    this.name = 'StoreBusy';
  }
}

/** The connection was lost during a commit, so whether anything was changed is not known. */
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

/** A request with this Idempotency-Key came first: what this transaction would have done is undone. */
export class KeyTaken extends Error {
  override name = 'KeyTaken';
}

/** A work of a turn failed after something of it was written: the turn cannot go on without it. */
export class TurnSpoiled extends Error {
  constructor(cause: unknown) {
    super('a part of a turn failed after it had written', { cause });
    this.name = 'TurnSpoiled';
  }
}

/** The secret of a webhook was rotated by somebody else in the meantime. */
export class SecretChanged extends Error {}
