/*
 * Parses the YAML subset of our deployment files: block mappings and lists, plain and JSON-quoted scalars, one-line
 * JSON lists, anchors, aliases and merge keys. Throws on everything else. Scalars stay texts.
 */

export type Yaml = string | null | Yaml[] | { [key: string]: Yaml };

interface Line {
  indent: number;
  text: string;
}

const beyond = ['|', '>', '{', '!', '%', '@', '`', "'", '?'];

export function parseBlockYaml(source: string): Yaml {
  const lines: Line[] = source
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
    .map((line) => ({ indent: line.length - line.trimStart().length, text: line.trim() }));
  const anchors = new Map<string, Yaml>();
  let at = 0;

  function alias(name: string): Yaml {
    const found = anchors.get(name);
    if (found === undefined) throw new Error(`no anchor ${name}`);
    return structuredClone(found);
  }

  function scalar(text: string): Yaml {
    if (text === '') return null;
    if (text.startsWith('"')) return JSON.parse(text) as string;
    if (text.startsWith('*')) return alias(text.slice(1));
    if (text.startsWith('[*'))
      return text
        .slice(1, -1)
        .split(',')
        .map((name) => alias(name.trim().slice(1)));
    if (text.startsWith('[')) return JSON.parse(text) as Yaml[];
    if (beyond.includes(text.charAt(0)) || text.includes(': ') || text.includes(' #'))
      throw new Error(`not a plain scalar: ${text}`);
    return text;
  }

  /** The value after a colon: a scalar on the line, or the block below it. */
  function value(text: string, indent: number): Yaml {
    if (text !== '' && !text.startsWith('&')) return scalar(text);
    const next = lines[at];
    const block = next !== undefined && next.indent > indent ? parse(next.indent) : null;
    if (text.startsWith('&')) anchors.set(text.slice(1), block);
    return block;
  }

  function merge(into: { [key: string]: Yaml }, from: Yaml): void {
    for (const source of Array.isArray(from) ? from : [from]) {
      if (source === null || typeof source !== 'object' || Array.isArray(source))
        throw new Error('only mappings can be merged');
      for (const [key, inherited] of Object.entries(source)) into[key] ??= inherited;
    }
  }

  function parse(indent: number): Yaml {
    if (lines[at]?.text.startsWith('- ')) {
      const items: Yaml[] = [];
      for (let line = lines[at]; line?.indent === indent && line.text.startsWith('- '); line = lines[at]) {
        const text = line.text.slice(2);
        const isMapping = /^[\w./-]+:( |$)/.test(text);
        // The first key of a mapping follows its dash, the others are below it.
        if (isMapping) lines[at] = { indent: indent + 2, text };
        else at += 1;
        items.push(isMapping ? parse(indent + 2) : scalar(text));
      }
      return items;
    }
    const own: { [key: string]: Yaml } = {};
    let inherited: Yaml = [];
    for (let line = lines[at]; line?.indent === indent; line = lines[at]) {
      at += 1;
      const colon = line.text.endsWith(':') ? line.text.length - 1 : line.text.indexOf(': ');
      if (colon < 1) throw new Error(`neither a key nor a list: ${line.text}`);
      const key = line.text.slice(0, colon);
      const found = value(line.text.slice(colon + 1).trim(), indent);
      if (key === '<<') inherited = found;
      else if (Object.hasOwn(own, key)) throw new Error(`${key} stands there twice`);
      else own[key] = found;
    }
    merge(own, inherited);
    return own;
  }

  const document = parse(0);
  const left = lines[at];
  if (left !== undefined) throw new Error(`wrong indentation: ${left.text}`);
  return document;
}
