/** Facts at the start of a Markdown file, in YAML between lines of `---`, in TOML between lines of `+++`, or in JSON. */
export interface FrontMatter {
  /** Empty without a title. */
  title: string;
  description: string;
  /** Where the text begins. */
  end: number;
}

const FENCED = /^\s{0,10}(---|\+\+\+)[ \t]*\n([\s\S]*?)\n(?:\1|\.\.\.)[ \t]*(?:\n|$)/;
const JSON_OBJECT =
  /^\s{0,10}(?:---json[ \t]*\n|;;;[ \t]*\n)?(\{[\s\S]*?\n\}|"[\s\S]*?"|\{.*\})[ \t]*\n(?:---|;;;)?[ \t]*(?:\n|$)/;
/** Maximum length of front matter, which is small. Longer text between rules is content. */
const MAX_CHARS = 20_000;

/** Returns the front matter of Markdown with \n newlines; null without any. */
export function readFrontMatter(source: string): FrontMatter | null {
  const start = source.slice(0, MAX_CHARS);
  const match = FENCED.exec(start);
  const body = match?.[2] ?? '';
  if (match === null || !/^[\w-]+\s*[:=]/m.test(body)) return readJson(start);
  const lines = body.split('\n');
  const read = (name: string) => (match[1] === '---' ? yamlText : tomlText)(lines, name);
  const title = read('title');
  // Text between two rules may look like facts.
  const isText = title === '' && (lines[0]?.trim() === '' || /^\s/.test(source));
  return isText ? null : { title, description: descriptionIn(read), end: match[0].length };
}

const descriptionIn = (read: (name: string) => string): string =>
  read('description') || read('summary') || read('excerpt') || read('abstract');

/** Reads an object at the start of a text. Without a title, it is content. */
function readJson(start: string): FrontMatter | null {
  const match = JSON_OBJECT.exec(start);
  if (match === null) return null;
  const body = match[1] ?? '';
  try {
    const facts: unknown = JSON.parse(body.startsWith('{') ? body : `{${body}}`);
    const read = (name: string): string => {
      const value = Object.entries(facts as object).find(([key]) => key.toLowerCase() === name)?.[1];
      return typeof value === 'string' ? folded(value) : '';
    };
    const title = read('title');
    if (title === '') return null;
    return { title, description: descriptionIn(read), end: match[0].length };
  } catch {
    return null;
  }
}

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Reads a text at the top level of YAML (https://yaml.org/spec/1.2.2/#chapter-7-flow-style-productions, 8.1). */
function yamlText(lines: readonly string[], name: string): string {
  const at = lines.findIndex((line) => new RegExp(`^${name}\\s*:(?:\\s|$)`, 'i').test(line));
  if (at < 0) return '';
  const first = (lines[at] ?? '').replace(/^[^:]*:/, '').trim();
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => /^\S/.test(line));
  const below = rest.slice(0, end < 0 ? undefined : end).map((line) => line.trim());
  if (/^[|>][-+\d]*\s*(?:#.*)?$/.test(first)) return folded(below.join(' '));
  const all = [first, ...below].join(' ');
  const [, double] = /^"((?:[^"\\]|\\.)*)"/.exec(all) ?? [];
  if (double !== undefined) return folded(unescaped(double));
  const [, single] = /^'((?:[^']|'')*)'/.exec(all) ?? [];
  if (single !== undefined) return folded(single.replaceAll("''", "'"));
  // A list or map is no text.
  return /^(?:[[{&*!]|-\s)/.test(all) ? '' : folded(all.replace(/(?:^|\s)#.*$/, ''));
}

/** Reads a text at the top level of TOML (https://toml.io/en/v1.0.0#string). */
function tomlText(lines: readonly string[], name: string): string {
  const table = lines.findIndex((line) => line.trimStart().startsWith('['));
  const body = lines.slice(0, table < 0 ? undefined : table).join('\n');
  const value =
    new RegExp(`^[ \\t]*["']?${name}["']?[ \\t]*=[ \\t]*(["'][\\s\\S]*)`, 'im').exec(body)?.[1] ?? '';
  const [, basic] = /^"""([\s\S]*?)"""/.exec(value) ?? /^"((?:[^"\\\n]|\\.)*)"/.exec(value) ?? [];
  if (basic !== undefined) return folded(unescaped(basic));
  const [, literal = ''] = /^'''([\s\S]*?)'''/.exec(value) ?? /^'([^'\n]*)'/.exec(value) ?? [];
  return folded(literal);
}

const signs: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\n', '\n': ' ', e: '', b: '', f: '' };

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|([\s\S]))/g, (_, u, U, x, sign) => {
    const code = Number.parseInt(u ?? U ?? x, 16);
    if (Number.isNaN(code)) return signs[sign] ?? sign;
    return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  });
