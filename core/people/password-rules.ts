import { limits } from '../schemas/limits.js';

/** Number of common passwords that are refused: the most common ones of a valid length. */
const REFUSED = 1000;

let common: Promise<ReadonlySet<string>> | undefined;

/** Loads the list with the first password that is chosen, because it takes megabytes. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const long = dictionary['passwords-common'].filter((text) => text.length >= limits.people.password.min);
  return new Set(long.slice(0, REFUSED));
}

/** Returns why a password cannot be chosen, or null. Its length is checked by the schema. */
export async function passwordProblem(password: string, email: string): Promise<string | null> {
  if (password.toLowerCase() === email.toLowerCase()) return 'must not be the e-mail address';
  common ??= load();
  if ((await common).has(password.toLowerCase()))
    return 'is one of the most common passwords; choose another';
  return null;
}
