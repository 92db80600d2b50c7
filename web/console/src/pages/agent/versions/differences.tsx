import type { ListedVersion } from '../../../api/types.js';
import { lineOf } from '../../../forms/values.js';
import { labelOf } from '../../../forms/words.js';
import { settingsPages } from '../settings/layout.js';

type Change = ListedVersion['changes'][number];

/**
 * Returns the name of a field as in the forms: `ai.instructionsPrompt` is `Your own instruction`,
 * `handover.form.intro` is `Form: Above the fields`.
 */
export function nameOf(path: string): string {
  const [group = '', ...rest] = path.split('.');
  const texts = settingsPages.find((page) => page.group === group)?.texts;
  const name = texts?.[rest.join('.')]?.label ?? labelOf(rest.at(-1) ?? path);
  const outer = texts ? rest.length > 1 && texts[rest[0] ?? '']?.label : labelOf(group);
  return outer ? `${outer}: ${name}` : name;
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Takes a changed group of fields apart into the fields that differ. */
function fieldsOf({ field, before, after }: Change): Change[] {
  if (!isGroup(before) && !isGroup(after)) return [{ field, before, after }];
  const [old, current] = [before, after].map((value) => (isGroup(value) ? value : {}));
  return Object.keys({ ...old, ...current })
    .flatMap((name) => fieldsOf({ field: `${field}.${name}`, before: old?.[name], after: current?.[name] }))
    .filter((change) => textOf(change.before) !== textOf(change.after));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'not set';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (!Array.isArray(value)) return String(value);
  return value.length === 0 ? 'none' : value.map(lineOf).join(', ');
}

/** Changed settings with their values before and after. */
export const Differences = ({ changes }: { changes: Change[] }) => (
  <dl class="differences">
    {changes.flatMap(fieldsOf).map(({ field, before, after }) => (
      <div key={field}>
        <dt title={field}>{nameOf(field)}</dt>
        <dd>
          <del>{textOf(before)}</del> <ins>{textOf(after)}</ins>
        </dd>
      </div>
    ))}
  </dl>
);
