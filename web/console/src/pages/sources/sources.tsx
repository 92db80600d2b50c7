import { useEffect, useState } from 'preact/hooks';
import {
  type SourceType,
  sourceTypeFacts,
  sourceTypes,
} from '../../../../../core/knowledge/sources/source-types.js';
import { agentPath } from '../../api/request.js';
import type { Source } from '../../api/types.js';
import { useList } from '../../loading.js';
import { Filter } from '../../parts/filter.js';
import { Empty, Loading, More, Problem, Unsearched } from '../../parts/notice.js';
import { several } from '../../parts/numbers.js';
import { may, Permitted } from '../../parts/permitted.js';
import type { Watched } from '../../training.js';
import { Add } from './add.js';
import { deletedSources, deletionsEnded } from './deletion.js';
import { FailedSources } from './failed-sources.js';
import { Files } from './files.js';
import { Selection } from './selection.js';
import { problemOf, SourceRow } from './source-row.js';

/** The agent's sources, and forms to add more. */
export function Sources({ agentId, training }: { agentId: string; training: Watched }) {
  const [sourceType, setSourceType] = useState<SourceType | ''>('');
  const [isTroubled, setTroubled] = useState(false);
  const [wanted, setWanted] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const words = wanted.trim().toLowerCase();
  const isFiltered = words !== '' || isTroubled;
  const list = useList<Source>(
    agentPath(agentId, 'sources'),
    { limit: '100', ...(sourceType ? { sourceType } : {}) },
    isFiltered,
  );
  const { items, total, more, failure, reload } = list;
  const ended = training.ended + deletionsEnded.value;
  useEffect(() => {
    if (ended > 0) reload();
  }, [ended]);
  const kept = items?.filter(({ id }) => !deletedSources.value.has(id));
  const remaining = total - ((items?.length ?? 0) - (kept?.length ?? 0));
  const shown = kept?.filter(
    (source) =>
      (words === '' || nameOf(source).includes(words)) && (!isTroubled || problemOf(source) !== null),
  );
  const select = (ids: readonly string[], isSelected: boolean) => {
    const next = new Set(selected);
    for (const id of ids)
      if (isSelected) next.add(id);
      else next.delete(id);
    setSelected(next);
  };
  const chosen = shown?.filter(({ id }) => selected.has(id)) ?? [];
  const isEmpty = kept?.length === 0 && !isFiltered && sourceType === '';
  return (
    <>
      <section class="panel">
        <h2>Teach the agent</h2>
        <Permitted needs="questions.answer">
          <Add agentId={agentId} onStored={reload} onSubmitted={training.look} />
          <Permitted needs="edit" what="other sources">
            <Files agentId={agentId} ended={training.ended} onSubmitted={training.look} />
          </Permitted>
        </Permitted>
      </section>
      <FailedSources agentId={agentId} ended={training.ended} onSubmitted={training.look} />
      <section>
        <div class="find">
          <input
            type="search"
            aria-label="Find a source"
            placeholder="Find a source"
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
          <Filter
            label="Type"
            any="All types"
            choices={sourceTypes.map((type) => [type, sourceTypeFacts[type].label])}
            value={sourceType}
            onChange={(type) => setSourceType(type as SourceType | '')}
          />
          <label class="tick">
            <input
              type="checkbox"
              checked={isTroubled}
              onChange={(event) => setTroubled(event.currentTarget.checked)}
            />
            With problems
          </label>
          <span class="muted" role="status">
            {shown &&
              (isFiltered
                ? `${shown.length} of ${several(remaining, 'source')}`
                : several(remaining, 'source'))}
          </span>
        </div>
        <Problem failure={failure} retry={reload} />
        {!items && !failure && <Loading />}
        {isEmpty && (
          <Empty title="No sources yet.">
            <p>Drop files above, or add a text, a question with its answer, or a page. Then ask the agent.</p>
          </Empty>
        )}
        {shown?.length === 0 && !isEmpty && <Empty title="No source matches." />}
        {may('edit') && shown && shown.length > 0 && (
          <Selection
            agentId={agentId}
            sources={chosen}
            isAll={chosen.length === shown.length}
            onAll={(isSelected) =>
              select(
                shown.map(({ id }) => id),
                isSelected,
              )
            }
            onSubmitted={training.look}
          />
        )}
        <ul class="rows">
          {shown?.map((source) => (
            <SourceRow
              key={source.id}
              agentId={agentId}
              source={source}
              isSelected={selected.has(source.id)}
              onSelect={(isSelected) => select([source.id], isSelected)}
            />
          ))}
        </ul>
        {isFiltered && <Unsearched list={list} what="source" />}
        <More more={more} />
      </section>
    </>
  );
}

/** Returns title and address, for the search. */
const nameOf = ({ title, sourceMetadata }: Source): string =>
  `${title} ${'url' in sourceMetadata ? sourceMetadata.url : ''}`.toLowerCase();
