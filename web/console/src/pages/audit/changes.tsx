import type { AuditRow } from '../../api/types.js';

type Value = AuditRow['changes'][string]['before'];

function textOf(value: Value): string {
  if (value === null) return 'empty';
  if (typeof value === 'object') {
    const { length, sha256 } = value as { length: number; sha256: string };
    return `${length} characters (${sha256.slice(0, 8)})`;
  }
  return String(value);
}

/** The changed fields of a row, before and after. */
export function Changes({ changes }: Pick<AuditRow, 'changes'>) {
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
  return (
    <details class="small">
      <summary>{fields.map(([name]) => name).join(', ')}</summary>
      <dl>
        {fields.map(([name, { before, after }]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <del>{textOf(before)}</del> <ins>{textOf(after)}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
