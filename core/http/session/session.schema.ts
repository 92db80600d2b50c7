import { Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { personName } from '../people/person.schema.js';

/** Bodies of requests below `/console/session`. */

const { email, password, token, code } = limits.people;

/** A password to compare. Too short a password gets the 401 of every wrong one, so the response does not differ. */
const sentPassword = Type.String({ minLength: 1, maxLength: password.max });
const newPassword = Type.String({ minLength: password.min, maxLength: password.max });
const linkToken = Type.String({ minLength: 1, maxLength: token });
const address = Type.String({ trim: true, minLength: 1, maxLength: email });

export const signInBody = Type.Object(
  { email: address, password: sentPassword, shared: Type.Optional(Type.Boolean()) },
  { $id: 'SignIn' },
);
export const setUpBody = Type.Object(
  { token: linkToken, email: address, password: newPassword, name: personName },
  { $id: 'SetUp' },
);
export const invitationBody = Type.Object(
  { token: linkToken, password: Type.Optional(newPassword), name: Type.Optional(personName) },
  { $id: 'Invitation' },
);
export const resetRequestBody = Type.Object({ email: address }, { $id: 'RequestReset' });
/** Without a token, a link is mailed. */
export const proveBody = Type.Object({ token: Type.Optional(linkToken) }, { $id: 'Prove' });
export const resetBody = Type.Object({ token: linkToken, password: newPassword }, { $id: 'Reset' });
/** A code of the authenticator app, or a recovery code. */
const sentCode = Type.String({ minLength: 1, maxLength: code });

export const codeBody = Type.Object({ code: sentCode }, { $id: 'SecondFactor' });
/** Without a code: offers a secret. Users without a password leave `password` out. */
export const totpBody = Type.Object(
  { password: Type.Optional(sentPassword), code: Type.Optional(sentCode) },
  { $id: 'SetUpSecondFactor' },
);
export const endTotpBody = Type.Object(
  { password: Type.Optional(sentPassword), code: sentCode },
  { $id: 'EndSecondFactor' },
);
export const passwordBody = Type.Object(
  { oldPassword: sentPassword, newPassword },
  { $id: 'ChangePassword' },
);

/** Parameters of the provider are as long as it likes. */
const ofProvider = Type.String({ minLength: 1, maxLength: 4096 });

export const oidcStartBody = Type.Object({}, { $id: 'OidcStart' });
/** How the provider sends the browser back: with a code, or with an error. */
export const oidcBody = Type.Object(
  {
    state: Type.String({ pattern: '^[\\w-]{43}$' }),
    code: Type.Optional(ofProvider),
    iss: Type.Optional(ofProvider),
    error: Type.Optional(ofProvider),
  },
  { $id: 'Oidc' },
);
export const oidcLinkBody = Type.Object({ password: sentPassword }, { $id: 'OidcLink' });
