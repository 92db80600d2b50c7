import { useRef, useState } from 'preact/hooks';
import { fileExtensions } from '../../../../../core/knowledge/sources/file-types.js';
import { sourceTypeFacts } from '../../../../../core/knowledge/sources/source-types.js';
import { agentPath, ask } from '../../api/request.js';
import type { Source } from '../../api/types.js';
import { SchemaForm } from '../../forms/schema-form.js';
import { useAction } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Dialog } from '../../parts/confirm.js';
import { When } from '../../parts/figures.js';
import { Menu, type MenuItem } from '../../parts/menu.js';
import { Problem } from '../../parts/notice.js';
import { bytes } from '../../parts/numbers.js';
import { to } from '../../router.js';
import { deleteSources } from './deletion.js';
import { downloadOriginal, readAgain, replaceFile, urlIn } from './source-actions.js';
import { sourceTexts } from './source-texts.js';

interface SourceRowProps {
  agentId: string;
  source: Source;
  isSelected: boolean;
  /** Null if the caller may not change sources. */
  onSelect: ((isSelected: boolean) => void) | null;
  onChange: () => void;
  /** Called with the job that reads a page or a file. */
  onSubmitted: (jobId: string) => void;
}

export function SourceRow({ agentId, source, isSelected, onSelect, onChange, onSubmitted }: SourceRowProps) {
  const { id, title, sourceType, createdAt, lastCrawledAt, sourceMetadata } = source;
  const problem = problemOf(source);
  const { failure, run } = useAction();
  const [isRenaming, setRenaming] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const url = urlIn(source);
  const items: MenuItem[] = [
    ...(hasTitle(source) ? [{ name: 'Rename', run: () => setRenaming(true) }] : []),
    ...(url === null
      ? []
      : [
          {
            name: 'Read it again',
            run: () => void run(async () => onSubmitted(await readAgain(agentId, url))),
          },
        ]),
    ...(sourceType === 'file_upload'
      ? [
          { name: 'Download', run: () => void run(() => downloadOriginal(agentId, source)) },
          { name: 'Replace…', run: () => file.current?.click() },
        ]
      : []),
    { name: 'Delete', run: () => deleteSources(agentId, [source]), isDangerous: true },
  ];
  return (
    <tr class={isSelected ? 'selected' : ''}>
      {onSelect && (
        <td class="narrow">
          <input
            type="checkbox"
            aria-label={`Select ${title}`}
            checked={isSelected}
            onChange={(event) => onSelect(event.currentTarget.checked)}
          />
        </td>
      )}
      <td class="wide-cell">
        <a href={to('agents', agentId, 'sources', id)}>{title}</a>
        {problem && <p class="task-problem small">{problem}</p>}
        <Problem failure={failure} />
      </td>
      <td>{sourceTypeFacts[sourceType].label}</td>
      <td class="number">{bytes(sourceMetadata.bytes)}</td>
      <td class="muted">
        <When seconds={lastCrawledAt ?? createdAt} />
      </td>
      {onSelect && (
        <td class="narrow">
          <Menu label={`Actions for ${title}`} items={items} />
          <input
            ref={file}
            type="file"
            class="unseen"
            tabIndex={-1}
            aria-label={`New file for ${title}`}
            accept={fileExtensions.join(',')}
            onChange={({ currentTarget }) => {
              const [chosen] = currentTarget.files ?? [];
              currentTarget.value = '';
              if (chosen) void run(() => replaceFile(agentId, source, chosen, onSubmitted).then(onChange));
            }}
          />
          {isRenaming && (
            <Dialog title="Rename the source" onClose={() => setRenaming(false)}>
              <SchemaForm
                operation="updateSource"
                only={['title']}
                stored={{ title }}
                texts={sourceTexts}
                verb="Rename"
                send={async (body) => {
                  await ask(agentPath(agentId, 'sources', id), { method: 'PATCH', body });
                  confirmDone('Renamed.');
                  setRenaming(false);
                  onChange();
                }}
                onCancel={() => setRenaming(false)}
              />
            </Dialog>
          )}
        </td>
      )}
    </tr>
  );
}

/** Titles of pages and files come from the page or the file. */
const hasTitle = ({ sourceType }: Source): boolean =>
  sourceType === 'text_snippet' || sourceType === 'qna_entry';

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
