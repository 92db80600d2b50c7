import type { UserRow } from './users.js';

/** How a provider names a person. */
export interface Subject {
  issuer: string;
  subject: string;
}

/** A sign-in by which a provider proves the address of a user. */
export interface ProvenSignIn extends Subject {
  userId: string;
  /** Hash of the password that was compared; null if the user had none, or the address was not proven. */
  password: string | null;
  now: number;
}

/** The person that signs in through a provider. */
export interface Identities {
  /** Returns the user that is bound to the subject. */
  find(subject: Subject): Promise<UserRow | null>;
  /**
   * Binds the subject to a user. The first proof of the address ends all access from before it, unless `signedIn` is the
   * user. Accepts the user's invitations. Returns false if the user was disabled or has changed the password, or if the
   * user or the subject is bound otherwise.
   */
  bind(signIn: ProvenSignIn, signedIn: string | null): Promise<boolean>;
}
