import type { Static } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Plan } from '../core/workspaces/entitlements.js';
import { ConfigError } from './config-error.js';
import { deepFreeze } from './deep-freeze.js';
import { installedFile } from './installation.js';
import { readText } from './layer.js';
import { parseJson } from './parse-json.js';
import { plansSchema } from './plans.schema.js';
import { violationSentences } from './violation.js';

const PLANS = 'config/plans.json';
/** Of plans that do not say how many members a workspace may have. */
const MEMBERS = 200;
/** Of plans that do not say how many pages of a whole site are read. */
const SITE_PAGES = 10_000;

/** Returns the plans by name, deeply frozen. Throws a ConfigError with all problems of the file. */
export function loadPlans(file: string = installedFile(PLANS)): ReadonlyMap<string, Plan> {
  const read = readText(file);
  const parsed = 'text' in read ? parseJson(read.text) : read;
  if ('problem' in parsed) throw new ConfigError([`${PLANS}: the file ${parsed.problem}. Correct it`]);

  const ajv = new Ajv2020({ allErrors: true, verbose: true, validateSchema: false });
  const validate = ajv.compile<Static<typeof plansSchema>>(plansSchema);
  if (!validate(parsed.value)) {
    const sentences = violationSentences(validate.errors ?? [], 'the file');
    throw new ConfigError(sentences.map((sentence) => `${PLANS}: ${sentence}`));
  }
  return new Map(
    Object.entries(parsed.value).map(([name, plan]) => {
      const {
        visitorStorageBytes = Number.MAX_SAFE_INTEGER,
        members = MEMBERS,
        sitePages = SITE_PAGES,
        ...others
      } = plan.limits;
      const limits = { ...others, members, visitorStorageBytes, sitePages };
      return [name, deepFreeze({ name, ...plan, limits })];
    }),
  );
}
