import type { SchemaValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { isPicturePath } from '../../agent-settings/picture-fields.js';
import { fileExtensions } from '../../knowledge/sources/file-types.js';
import { isDomainExpression, MAX_HOST, MAX_LABEL } from '../../knowledge/urls/domain-expression.js';
import { parseSourceUrl } from '../../knowledge/urls/source-url.js';
import { canonicalLocale } from '../../locales/canonical-locale.js';
import { widgetLocales } from '../../locales/locale-files.js';
import { jsonBytes } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';
import { lines } from '../../schemas/lines.js';

/** Our own keywords of JSON Schema. */

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

export const isHttpUrl = (text: string): boolean => {
  if (!/^https?:\/\/[^\s]+$/i.test(text) || codePoints(text) > limits.url.max) return false;
  return URL.canParse(text);
};

/** Whether the text names a time zone of the IANA database. */
function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

const isTimeOfDay = (text: string): boolean => /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/.test(text);

type Span = [from: string, until: string];

const isSpan = (span: unknown): span is Span =>
  Array.isArray(span) && span.length === 2 && span.every((time) => typeof time === 'string');

const areApart = (spans: Span[]): boolean =>
  spans
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .every(([from, until], n, all) => from < until && (n === 0 || (all[n - 1]?.[1] ?? '') <= from));

export const hasKnownExtension = (fileName: string): boolean =>
  fileExtensions.some(
    (extension) => fileName.toLowerCase().endsWith(extension) && fileName.length > extension.length,
  );

/** Returns whether the text is an origin as browsers write it, `null` included. Its host must have a valid length in DNS. */
function isPageOrigin(text: string): boolean {
  if (text === 'null') return true;
  if (text.length > MAX_ORIGIN || !/^https?:/.test(text) || !URL.canParse(text)) return false;
  const { origin, hostname } = new URL(text);
  return origin === text && isDnsLength(hostname);
}

/** Maximum length of an origin: scheme, host and port. */
const MAX_ORIGIN = 'https://'.length + MAX_HOST + '.:65535'.length;

/** Returns whether the lengths of the host and its labels are valid in DNS. IPv6 addresses are always shorter. */
const isDnsLength = (host: string): boolean =>
  host.replace(/\.$/, '').length <= MAX_HOST && host.split('.').every((label) => label.length <= MAX_LABEL);

const formats: Record<string, (text: string) => boolean> = {
  'http-url': isHttpUrl,
  'http-url-or-picture': (text) => isPicturePath(text) || isHttpUrl(text),
  'http-url-or-empty': (text) => text === '' || isHttpUrl(text),
  'domain-expression': isDomainExpression,
  'page-origin': isPageOrigin,
  'widget-locale': (text) => canonicalLocale(text) !== null,
  'file-name': hasKnownExtension,
  'time-zone': isTimeZone,
  'time-of-day': isTimeOfDay,
};

export const formatProblems: Record<string, string> = {
  'http-url': `must be an absolute http or https URL of at most ${limits.url.max} characters`,
  'http-url-or-picture': `must be an absolute http or https URL of at most ${limits.url.max} characters, or a picture of the agent`,
  'http-url-or-empty': `must be an absolute http or https URL of at most ${limits.url.max} characters, an empty string or null`,
  'domain-expression':
    'must be a domain expression such as example.com, *.example.com or https://example.com:8443/path',
  uuid: 'must be a UUID',
  date: 'must be a date such as 2026-11-22',
  'time-zone': 'must be a time zone such as Europe/Berlin',
  'time-of-day': 'must be a time such as 09:00, at most 24:00',
  'page-origin': 'must be an origin such as https://acme.com',
  'widget-locale': `must be a language tag of one of these locales: ${widgetLocales.join(', ')}`,
  'file-name': `must end in one of ${fileExtensions.join(' ')}`,
};

const characters = (count: number): string => `${count} character${count === 1 ? '' : 's'}`;

/**
 * Replaces Ajv's keywords for lengths, so that lengths are checked before patterns and formats. Counts the characters of a
 * text only if its number of UTF-16 units does not decide.
 */
function addLengths(ajv: Ajv2020): void {
  ajv.removeKeyword('maxLength').addKeyword({
    keyword: 'maxLength',
    type: 'string',
    schemaType: 'number',
    before: 'pattern',
    validate: (max: number, text: string) =>
      text.length <= max || (text.length <= 2 * max && codePoints(text) <= max),
    error: { message: ({ schema }) => `must have at most ${characters(schema)}` },
  });
  ajv.removeKeyword('minLength').addKeyword({
    keyword: 'minLength',
    type: 'string',
    schemaType: 'number',
    before: 'pattern',
    validate: (min: number, text: string) => text.length >= 2 * min || codePoints(text) >= min,
    error: { message: ({ schema }) => `must have at least ${characters(schema)}` },
  });
}

function scheduleProblems({ every, unit, hour, timeZone }: Record<string, unknown>): Record<string, string> {
  const clock = { hour, timeZone };
  const named = (problem: string, fields: object): Record<string, string> =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [[field, problem]])),
    );
  if (every === undefined) return {};
  if (every === null) return named('must be left out without a schedule', { unit, ...clock });
  if (unit === undefined) return { unit: 'is required' };
  if (unit === 'hours') return named('must be left out if the unit is hours', clock);
  return unit === 'days' && Number(every) > limits.schedule.days
    ? { every: `must be <= ${limits.schedule.days} if the unit is days` }
    : {};
}

export function addVocabulary(ajv: Ajv2020): void {
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate });

  addLengths(ajv);

  // For OpenAPI: the field that discriminates the alternatives.
  ajv.addKeyword({ keyword: 'discriminatedBy', schemaType: 'string' });

  // Trims in place. `maxLength` is the first check of lengths.
  ajv.addKeyword({
    keyword: 'trim',
    type: 'string',
    schemaType: 'boolean',
    modifying: true,
    before: 'maxLength',
    errors: false,
    validate: (
      _on: boolean,
      text: string,
      _schema: unknown,
      at?: { parentData: Record<string, unknown>; parentDataProperty: string | number },
    ) => {
      if (at) at.parentData[at.parentDataProperty] = text.trim();
      return true;
    },
  });
  ajv.addKeyword({
    keyword: 'notBlank',
    type: 'string',
    schemaType: 'boolean',
    validate: (_on: boolean, text: string) => text.trim() !== '',
    error: { message: 'must contain a non-whitespace character' },
  });
  ajv.addKeyword({
    keyword: 'someNotBlank',
    type: 'array',
    schemaType: 'boolean',
    validate: (_on: boolean, texts: unknown[]) =>
      texts.some((text) => typeof text === 'string' && text.trim() !== ''),
    error: { message: 'must have at least one entry with a non-whitespace character' },
  });
  ajv.addKeyword({
    keyword: 'maxUtf8Bytes',
    type: 'string',
    schemaType: 'number',
    validate: (max: number, text: string) => text.length * 3 <= max || Buffer.byteLength(text) <= max,
    error: { message: ({ schema }) => `must be at most ${schema} UTF-8 bytes` },
  });
  // For lists with one entry per line.
  ajv.addKeyword({
    keyword: 'maxLines',
    type: 'string',
    schemaType: 'number',
    validate: (max: number, text: string) => lines(text, max + 1).length <= max,
    error: { message: ({ schema }) => `must have at most ${schema} nonblank lines` },
  });
  ajv.addKeyword({
    keyword: 'maxLineLength',
    type: 'string',
    schemaType: 'number',
    validate: (max: number, text: string, schema?: { [keyword: string]: unknown }) =>
      lines(text, Number(schema?.maxLines ?? Number.POSITIVE_INFINITY)).every(
        (line) => codePoints(line) <= max,
      ),
    error: { message: ({ schema }) => `must have no line of more than ${schema} characters` },
  });
  // For dates. The format checks their form.
  ajv.addKeyword({
    keyword: 'notBefore',
    type: 'string',
    schemaType: 'string',
    validate: (first: string, day: string) => day >= first || !/^\d{4}-\d\d-\d\d$/.test(day),
    error: { message: ({ schema }) => `must not be before ${schema}` },
  });
  // For fields that only API keys may send.
  ajv.addKeyword({
    keyword: 'notForVisitors',
    schemaType: 'boolean',
    validate: () => false,
    error: { message: 'is not available to visitors' },
  });
  // Unknown fields do not count.
  ajv.addKeyword({
    keyword: 'atLeastOneField',
    type: 'object',
    schemaType: 'boolean',
    validate: (_on: boolean, value: object, schema?: { [keyword: string]: unknown }) =>
      Object.keys(schema?.properties ?? {}).some((field) => Object.hasOwn(value, field)),
    error: {
      message: ({ parentSchema }) =>
        `must hold at least one of ${Object.keys(parentSchema?.properties ?? {}).join(', ')}`,
    },
  });
  ajv.addKeyword({
    keyword: 'maxJsonBytes',
    schemaType: 'number',
    validate: (max: number, value: unknown) => jsonBytes(value) <= max,
    error: {
      message: ({ schema }) =>
        `must be at most ${schema} bytes as JSON, and not nested thousands of levels deep`,
    },
  });
  ajv.addKeyword({
    keyword: 'textOrNumber',
    schemaType: 'boolean',
    validate: (_on: boolean, value: unknown) => typeof value === 'string' || typeof value === 'number',
    error: { message: 'must be a string or a number' },
  });
  ajv.addKeyword({
    keyword: 'distinctNames',
    type: 'array',
    schemaType: 'boolean',
    validate: (_on: boolean, entries: { name?: unknown }[]) =>
      new Set(entries.map((entry) => entry?.name)).size === entries.length,
    error: { message: 'must not contain duplicates' },
  });
  // For texts of visitors. `butLines` allows line breaks.
  ajv.addKeyword({
    keyword: 'noControl',
    type: 'string',
    schemaType: 'string',
    validate: (kind: string, text: string) =>
      !/\p{Cc}/u.test(kind === 'butLines' ? text.replace(/\r?\n/g, '') : text),
    error: { message: 'must not contain control characters' },
  });
  // Opening hours of a day. The format checks each time.
  ajv.addKeyword({
    keyword: 'spansOfDay',
    type: 'array',
    schemaType: 'boolean',
    validate: (_on: boolean, spans: unknown[]) => !spans.every(isSpan) || areApart(spans),
    error: { message: 'must have spans that end after they start and do not overlap' },
  });
  // For texts of agents. Clients show such numbers as citations.
  ajv.addKeyword({
    keyword: 'noCitation',
    type: 'string',
    schemaType: 'boolean',
    validate: (_on: boolean, text: string) => !/\[\d+\]/.test(text),
    error: { message: 'must not contain a number in brackets such as [1], which clients show as a citation' },
  });
  // Normalises the URL, because it identifies a page.
  const toSourceUrl: SchemaValidateFunction = (_on: boolean, text: string, _schema, at) => {
    const parsed = parseSourceUrl(text);
    if (parsed.ok && at) at.parentData[at.parentDataProperty] = parsed.url;
    toSourceUrl.errors = parsed.ok ? [] : [{ keyword: 'sourceUrl', message: parsed.reason }];
    return parsed.ok;
  };
  ajv.addKeyword({
    keyword: 'sourceUrl',
    type: 'string',
    schemaType: 'boolean',
    modifying: true,
    errors: true,
    validate: toSourceUrl,
  });
  // The fields of a schedule belong together.
  const wholeSchedule: SchemaValidateFunction = (_on: boolean, sent: Record<string, unknown>) => {
    wholeSchedule.errors = Object.entries(scheduleProblems(sent)).map(([field, message]) => ({
      keyword: 'wholeSchedule',
      instancePath: `/${field}`,
      message,
    }));
    return wholeSchedule.errors.length === 0;
  };
  ajv.addKeyword({
    keyword: 'wholeSchedule',
    type: 'object',
    schemaType: 'boolean',
    errors: true,
    validate: wholeSchedule,
  });
  // An enabled empty list would block every site.
  ajv.addKeyword({
    keyword: 'domainsWhenEnabled',
    type: 'object',
    schemaType: 'boolean',
    validate: (_on: boolean, value: { enabled?: unknown; domains?: unknown }) =>
      value.enabled !== true || !Array.isArray(value.domains) || value.domains.length > 0,
    error: { message: 'must have at least one domain if it is enabled' },
  });
}
