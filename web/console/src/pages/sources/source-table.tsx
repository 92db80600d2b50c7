import type { ComponentChildren } from 'preact';
import type { Source } from '../../api/types.js';
import { SourceRow } from './source-row.js';

/** Columns, with the order of the API that sorts by them. */
const columns = [
  { name: 'Name', order: 'name', isDescendingFirst: false },
  { name: 'Type', order: null, isDescendingFirst: false },
  { name: 'Size', order: 'size', isDescendingFirst: true },
  { name: 'Updated', order: 'updatedAt', isDescendingFirst: true },
] as const;

interface SourceTableProps {
  agentId: string;
  sources: readonly Source[];
  /** Order of the API; `-` begins a descending one. */
  sort: string;
  onSort: (sort: string) => void;
  selected: ReadonlySet<string>;
  /** Null if the caller may not change sources. */
  onSelect: ((ids: readonly string[], isSelected: boolean) => void) | null;
  onChange: () => void;
  onSubmitted: (jobId: string) => void;
}

/** Sources in rows of one line. The head stays in view. */
export function SourceTable(props: SourceTableProps) {
  const { agentId, sources, sort, onSort, selected, onSelect, onChange, onSubmitted } = props;
  const ids = sources.map(({ id }) => id);
  return (
    <table class="listing">
      <thead>
        <tr>
          {onSelect && (
            <th class="narrow">
              <input
                type="checkbox"
                aria-label="Select all"
                checked={ids.every((id) => selected.has(id))}
                onChange={(event) => onSelect(ids, event.currentTarget.checked)}
              />
            </th>
          )}
          {columns.map(({ name, order, isDescendingFirst }) =>
            order === null ? (
              <th key={name} scope="col">
                {name}
              </th>
            ) : (
              <SortHead
                key={name}
                sort={sort}
                order={order}
                isNumber={name === 'Size'}
                onSort={() => onSort(next(sort, order, isDescendingFirst))}
              >
                {name}
              </SortHead>
            ),
          )}
          {onSelect && (
            <th class="narrow">
              <span class="unseen">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {sources.map((source) => (
          <SourceRow
            key={source.id}
            agentId={agentId}
            source={source}
            isSelected={selected.has(source.id)}
            onSelect={onSelect && ((isSelected) => onSelect([source.id], isSelected))}
            onChange={onChange}
            onSubmitted={onSubmitted}
          />
        ))}
      </tbody>
    </table>
  );
}

/** Returns the order after a click on a column: the other direction if the table is sorted by it. */
function next(sort: string, order: string, isDescendingFirst: boolean): string {
  if (sort === order) return `-${order}`;
  return sort === `-${order}` || !isDescendingFirst ? order : `-${order}`;
}

interface SortHeadProps {
  sort: string;
  order: string;
  isNumber: boolean;
  onSort: () => void;
  children: ComponentChildren;
}

function SortHead({ sort, order, isNumber, onSort, children }: SortHeadProps) {
  const direction = sort === order ? 'ascending' : sort === `-${order}` ? 'descending' : null;
  return (
    <th scope="col" class={isNumber ? 'number' : ''} aria-sort={direction ?? 'none'}>
      <button type="button" class="quiet" onClick={onSort}>
        {children}
        <span aria-hidden="true">{direction === null ? '' : direction === 'ascending' ? ' ↑' : ' ↓'}</span>
      </button>
    </th>
  );
}
