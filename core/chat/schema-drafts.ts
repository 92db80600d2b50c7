import { Ajv, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../schemas/json.js';

/** A JSON Schema draft in which tools can be declared. */
interface Draft {
  compiler(options: Options): Ajv;
  /** Returns why the schema is invalid in this draft, or null. */
  problem(schema: JsonObject): string | null;
}

function draft(Compiler: typeof Ajv): Draft {
  let meta: Ajv | undefined;
  // Compiled on first use, because it is slow. It validates the schemas of clients, and compiles none of them.
  const metaOf = (): Ajv => {
    meta ??= new Compiler({ strict: false, validateFormats: false, code: { optimize: false } });
    return meta;
  };
  return {
    compiler: (options) => new Compiler(options),
    problem(schema) {
      const meta = metaOf();
      const isSchema = meta.validateSchema(schema) === true;
      return isSchema ? null : meta.errorsText(meta.errors, { dataVar: 'inputSchema' });
    },
  };
}

const draft07 = draft(Ajv);
const draft202012 = draft(Ajv2020);

const named: readonly [uri: RegExp, Draft][] = [
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, draft07],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, draft(Ajv2019)],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, draft202012],
];

const draftsOf = ({ $schema }: JsonObject): Draft[] => {
  const found = named.find(([uri]) => typeof $schema === 'string' && uri.test($schema));
  return found ? [found[1]] : [draft202012, draft07];
};

/**
 * Picks the draft that `$schema` names; otherwise 2020-12, or draft-07 if the schema is invalid in 2020-12. Throws
 * if the schema is invalid in its draft.
 */
export function draftOf(schema: JsonObject): Draft {
  const { $schema: _, ...rest } = schema;
  let first: string | null = null;
  for (const draft of draftsOf(schema)) {
    const problem = draft.problem(rest);
    if (problem === null) return draft;
    first ??= problem;
  }
  throw new Error(`it is not a valid JSON Schema (${first})`);
}
