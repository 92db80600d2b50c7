import type { JsonValue } from '../core/schemas/json.js';

const REDACTED = '[redacted]';

/** Parts of a storage account's connection string that sign. */
const signingPart = /\b(AccountKey|SharedAccessSignature)=[^;]*/gi;
/** Of these the path names a database or a virtual host; of others it may be a secret. */
const pathNames = /^(mysql|amqps?):$/;

function withoutPassword(url: URL): string {
  const { protocol, username, password, host, pathname } = url;
  const user = username === '' ? '' : password === '' ? `${REDACTED}@` : `${username}:${REDACTED}@`;
  const anonymous = username === '' && password !== '' ? `:${REDACTED}@` : user;
  return `${protocol}//${anonymous}${host}${pathNames.test(protocol) ? pathname : ''}`;
}

function shownText(text: string): string {
  if (text.startsWith('sqlite:')) return text;
  if (text.includes('://') && URL.canParse(text)) return withoutPassword(new URL(text));
  if (/^\w+=[^;]*;/.test(text)) return text.replace(signingPart, `$1=${REDACTED}`);
  return REDACTED;
}

/**
 * A copy of a secret setting for logs and consoles: hosts, ports and names stay, passwords, keys and tokens are blanked. Of options of plugins
 * only they know which are secret: any value that is no address is taken for one.
 */
export function withoutPasswords(value: JsonValue): JsonValue {
  if (value === null) return null;
  if (typeof value === 'string') return shownText(value);
  if (typeof value !== 'object') return REDACTED;
  if (Array.isArray(value)) return value.map(withoutPasswords);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutPasswords(part)]));
}
