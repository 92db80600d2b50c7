/** A TOTP code by its time step, or a recovery code by its hash. */
export type UsedCode = { step: number } | { recoveryHash: string };

/** Second factors of users. Their state is part of the row of the user. */
export interface SecondFactors {
  /** Stores a secret that the user has still to confirm. Returns false if the user has a second factor. */
  offer(userId: string, sealed: string): Promise<boolean>;
  /**
   * Turns the offered secret on, with the step of the code that confirmed it, and ends all other sessions and all
   * devices. Returns false if another secret was offered since, or one is on.
   */
  enrol(
    userId: string,
    offered: string,
    step: number,
    recoveryHashes: readonly string[],
    keepSessionId: string,
  ): Promise<boolean>;
  /**
   * Marks a code as used, in one statement, so that no two processes accept it. Returns false if it was used, if the code
   * of a later step was used, or if `sealed` is no longer the secret.
   */
  use(userId: string, sealed: string, code: UsedCode): Promise<boolean>;
  /** Turns the second factor off, and ends all other sessions and all devices. */
  remove(userId: string, keepSessionId: string | null): Promise<void>;
}
