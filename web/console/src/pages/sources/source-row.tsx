import { sourceTypeFacts } from '../../../../../core/knowledge/sources/source-types.js';
import type { Source } from '../../api/types.js';
import { When } from '../../parts/figures.js';
import { may } from '../../parts/permitted.js';
import { to } from '../../router.js';

interface SourceRowProps {
  agentId: string;
  source: Source;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
}

export function SourceRow({ agentId, source, isSelected, onSelect }: SourceRowProps) {
  const { id, title, sourceType, createdAt, lastCrawledAt } = source;
  const problem = problemOf(source);
  return (
    <li class="source-row">
      {may('edit') && (
        <input
          type="checkbox"
          aria-label={`Select ${title}`}
          checked={isSelected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      )}
      <div>
        <a href={to('agents', agentId, 'sources', id)}>{title}</a>
        <p class="muted small">
          {lastCrawledAt === null ? 'added ' : 'read '}
          <When seconds={lastCrawledAt ?? createdAt} />
        </p>
        {problem && <p class="task-problem small">{problem}</p>}
      </div>
      <span class="state">{sourceTypeFacts[sourceType].label}</span>
    </li>
  );
}

/** Returns the problem of a source as a sentence; null if there is none. */
export function problemOf({ sourceMetadata }: Source): string | null {
  if ('lastFailure' in sourceMetadata && sourceMetadata.lastFailure)
    return `The agent keeps the old text, because the last update failed. ${sourceMetadata.lastFailure.message}`;
  if ('unreadablePages' in sourceMetadata && sourceMetadata.unreadablePages)
    return `Pages without readable text: ${sourceMetadata.unreadablePages}.`;
  if ('truncated' in sourceMetadata && sourceMetadata.truncated)
    return 'Only a part of the source was read, because a limit was reached or a part was unreadable.';
  return null;
}
