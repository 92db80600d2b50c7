import type { JsonValue } from '../core/schemas/json.js';

const REDACTED = '[redacted]';

/** Parts of a storage account's connection string that are not secret: names and addresses. */
const openPart = /^(DefaultEndpointsProtocol|AccountName|EndpointSuffix|(Blob|Queue|Table|File)Endpoint)$/i;
/** Protocols whose path is the name of a database or virtual host. Other paths may be secret. */
const pathNames = /^(mysql|amqps?):$/;

function withoutPassword(url: URL): string {
  const { protocol, username, password, host, pathname } = url;
  const user = username === '' ? '' : password === '' ? `${REDACTED}@` : `${username}:${REDACTED}@`;
  const anonymous = username === '' && password !== '' ? `:${REDACTED}@` : user;
  return `${protocol}//${anonymous}${host}${pathNames.test(protocol) ? pathname : ''}`;
}

/**
 * Redacts the value of `name=value`, unless the name is known not to be secret: in the connection string of another
 * system, any part may be the secret.
 */
function shownPart(part: string): string {
  const [name = ''] = part.split('=', 1);
  if (part === '' || (openPart.test(name) && !/[?@]/.test(part))) return part;
  return part === name ? REDACTED : `${name}=${REDACTED}`;
}

function shownText(text: string): string {
  if (text.startsWith('sqlite:')) return text;
  if (text.includes('://') && URL.canParse(text)) return withoutPassword(new URL(text));
  if (/^\w+=[^;]*;/.test(text)) return text.split(';').map(shownPart).join(';');
  return REDACTED;
}

/**
 * Returns a copy of a secret setting for logs and consoles. Hosts, ports and names stay; passwords, keys and tokens
 * are redacted. Which options of a plugin are secret is unknown here, so every value that is not an address counts as
 * secret.
 */
export function withoutPasswords(value: JsonValue): JsonValue {
  if (value === null) return null;
  if (typeof value === 'string') return shownText(value);
  if (typeof value !== 'object') return REDACTED;
  if (Array.isArray(value)) return value.map(withoutPasswords);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutPasswords(part)]));
}
