import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const CHECK_MS = 5000;

/**
 * Describes an error that occurred while a module was loaded: its message, its place, and a hint if the module format
 * is the cause.
 */
export function loadProblem(error: unknown, file?: string): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.replaceAll(/\s*\n\s*/g, ' ');
  const at = placeIn(error.stack ?? '') ?? (file === undefined ? null : placeOfSyntaxError(error, file));
  return `${error.name}: ${message}${at === null ? '' : ` (at ${at})`}${hintFor(error)}`;
}

/**
 * Returns the first place in a module that the text names, with the source line that Node.js prints for syntax
 * errors.
 */
function placeIn(text: string): string | null {
  const shown = /^((?:file:\/\/|\/)\S.*:\d+)\n(.*)\n\s*\^/m.exec(text);
  if (shown) return `${shown[1]}: ${String(shown[2]).trim()}`;
  return /file:\/\/[^\s)]+:\d+/.exec(text)?.[0] ?? null;
}

/**
 * Returns the place of a syntax error. Node.js prints it only when the error ends the process, so this starts a
 * process. A module that cannot be parsed runs no code in it.
 */
function placeOfSyntaxError(error: Error, file: string): string | null {
  if (error.name !== 'SyntaxError') return null;
  const { stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `await import(${JSON.stringify(pathToFileURL(file).href)})`],
    { env: { ...process.env, NODE_OPTIONS: '' }, encoding: 'utf8', timeout: CHECK_MS },
  );
  return placeIn(stderr);
}

function hintFor({ message }: Error): string {
  if (/import statement outside a module|Unexpected token 'export'|'import\.meta' outside/.test(message))
    return '. It is read as CommonJS: name the file .mjs, or put "type": "module" into the package.json beside it';
  if (/(require|module|exports) is not defined/.test(message))
    return '. It is read as an ES module: use import and export, or name the file .cjs';
  return '';
}
