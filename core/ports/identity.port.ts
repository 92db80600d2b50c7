/*
 * A provider that signs people in with OpenID Connect. Core maps its identities to accounts.
 */

/** A person, as the provider knows it. */
export interface Identity {
  issuer: string;
  /** Never changes, unlike the address. */
  subject: string;
  email: string | null;
  /** As the provider shows the person. */
  name: string | null;
  isEmailVerified: boolean;
}

/** The secrets of one attempt. The browser keeps them while the user is at the provider. */
export interface OidcAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

/** Parameters with which the provider sends the browser back. */
export interface OidcResponse {
  code: string;
  state: string;
  iss?: string | undefined;
}

/** The provider cannot be reached, or does not answer as one. */
export class ProviderAway extends Error {
  constructor(options?: ErrorOptions) {
    super('the identity provider cannot be reached', options);
    this.name = 'ProviderAway';
  }
}

export interface IdentityProvider {
  /** Returns the page at which an attempt begins. Rejects with ProviderAway. */
  begin(attempt: OidcAttempt, redirectUrl: string): Promise<string>;
  /** Returns the proven identity; null without a proof. Rejects with ProviderAway. */
  complete(attempt: OidcAttempt, response: OidcResponse, redirectUrl: string): Promise<Identity | null>;
}
