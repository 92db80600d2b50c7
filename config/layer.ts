import { checkSettings } from './check-settings.js';
import { parseJson } from './parse-json.js';
import { readRegularFile } from './read-regular-file.js';

/** Settings from one source, by path. `source` names the source in messages. */
export interface Layer {
  settings: Map<string, { value: unknown; source: string }>;
  problems: string[];
}

/** Maximum size of a file with settings, plans or a secret. */
const MAX_BYTES = 1_048_576;

/** Returns the text of a file, or why it cannot be read. */
export function readText(path: string): { text: string } | { problem: string } {
  try {
    return { text: readRegularFile(path, { maxBytes: MAX_BYTES }).toString('utf8') };
  } catch (error) {
    const { code = (error as Error).message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : code;
    return { problem: `cannot be read (${reason})` };
  }
}

/** Reads settings from a JSON file. `name` is the file's name in messages. */
export function fileLayer(path: string, name: string, options: { complete?: boolean } = {}): Layer {
  const read = readText(path);
  const parsed = 'text' in read ? parseJson(read.text) : read;
  if ('problem' in parsed)
    return {
      settings: new Map(),
      problems: [`${name}: the file ${path} ${parsed.problem}. Correct or unset it`],
    };
  const { valid, violations } = checkSettings(parsed.value, options);
  return {
    settings: new Map([...valid].map(([key, value]) => [key, { value, source: `${key} in ${name}` }])),
    problems: violations.map(({ path: key, problem }) => `${name}: ${key} ${problem}`),
  };
}
