import type { ListedVersion } from '../../../api/types.js';
import { labelOf } from '../../../forms/words.js';
import { settingsPages } from '../settings/layout.js';

/** Returns the name of a field as in the forms: `ai.instructionsPrompt` is `Your own instruction`. */
export function nameOf(path: string): string {
  const [group, ...rest] = path.split('.');
  const field = rest.join('.');
  const texts = settingsPages.find((page) => page.group === group)?.texts;
  return texts?.[field]?.label ?? labelOf(rest.at(-1) ?? path);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'not set';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Changed settings with their values before and after. */
export const Differences = ({ changes }: { changes: ListedVersion['changes'] }) => (
  <dl class="differences">
    {changes.map(({ field, before, after }) => (
      <div key={field}>
        <dt title={field}>{nameOf(field)}</dt>
        <dd>
          <del>{textOf(before)}</del> <ins>{textOf(after)}</ins>
        </dd>
      </div>
    ))}
  </dl>
);
