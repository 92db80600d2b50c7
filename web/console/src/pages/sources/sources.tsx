import { useEffect, useState } from 'preact/hooks';
import {
  type SourceType,
  sourceTypeFacts,
  sourceTypes,
} from '../../../../../core/knowledge/sources/source-types.js';
import { agentPath } from '../../api/request.js';
import type { Source } from '../../api/types.js';
import { useDelayed, useList } from '../../loading.js';
import { Filter, Filters } from '../../parts/filter.js';
import { Icon } from '../../parts/icon.js';
import { Empty, Loading, More, Problem, Unsearched } from '../../parts/notice.js';
import { count, several } from '../../parts/numbers.js';
import { may, Permitted } from '../../parts/permitted.js';
import { Tick } from '../../parts/tick.js';
import type { Watched } from '../../training.js';
import { Add } from './add.js';
import { deletedSources, deletionsEnded } from './deletion.js';
import { FailedSources } from './failed-sources.js';
import { Files } from './files.js';
import { Selection } from './selection.js';
import { problemOf } from './source-row.js';
import { SourceTable } from './source-table.js';

const NONE: ReadonlySet<string> = new Set();

/** The agent's sources, and forms to add more. */
export function Sources({ agentId, training }: { agentId: string; training: Watched }) {
  const [sourceType, setSourceType] = useState<SourceType | ''>('');
  const [isTroubled, setTroubled] = useState(false);
  const [wanted, setWanted] = useState('');
  const [sort, setSort] = useState('-createdAt');
  const [selected, setSelected] = useState(NONE);
  const [isAdding, setAdding] = useState<boolean | null>(null);
  const q = useDelayed(wanted.trim());
  const isFiltered = q !== '' || isTroubled || sourceType !== '';
  const path = agentPath(agentId, 'sources');
  const list = useList<Source>(path, { limit: '100', q, sourceType, sort }, q !== '' || isTroubled);
  const all = useList<Source>(path, { limit: '1' });
  const { items, more, failure } = list;
  const reload = () => {
    list.reload();
    all.reload();
  };
  const ended = training.ended + deletionsEnded.value;
  useEffect(() => {
    if (ended > 0) reload();
  }, [ended]);
  const kept = items?.filter(({ id }) => !deletedSources.value.has(id));
  const hidden = (items?.length ?? 0) - (kept?.length ?? 0);
  const shown = kept?.filter((source) => !isTroubled || problemOf(source) !== null);
  const found = isTroubled ? (shown?.length ?? 0) : list.total - hidden;
  const chosen = shown?.filter(({ id }) => selected.has(id)) ?? [];
  const isEmpty = kept?.length === 0 && !isFiltered;
  const isOpen = isAdding ?? (isEmpty && !failure);
  const select = (ids: readonly string[], isSelected: boolean) => {
    const next = new Set(selected);
    for (const id of ids)
      if (isSelected) next.add(id);
      else next.delete(id);
    setSelected(next);
  };
  // Without sources the panel is open, and stays open until the user closes it.
  useEffect(() => {
    if (isEmpty && isAdding === null) setAdding(true);
  }, [isEmpty]);
  return (
    <>
      <div class="find">
        <input
          type="search"
          aria-label="Find a source"
          placeholder="Find by title or address"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
        <Filters set={Number(sourceType !== '') + Number(isTroubled)}>
          <Filter
            label="Type"
            any="All types"
            choices={sourceTypes.map((type) => [type, sourceTypeFacts[type].label])}
            value={sourceType}
            onChange={(type) => setSourceType(type as SourceType | '')}
          />
          <Tick checked={isTroubled} onChange={setTroubled}>
            With problems
          </Tick>
        </Filters>
        <span class="muted" role="status">
          {shown &&
            all.items &&
            (isFiltered
              ? `${count(found)} of ${several(all.total - hidden, 'source')}`
              : several(list.total - hidden, 'source'))}
        </span>
        <Permitted needs="questions.answer">
          <button
            type="button"
            class="primary at-end"
            aria-expanded={isOpen}
            onClick={() => setAdding(!isOpen)}
          >
            <Icon name="add" /> Add sources
          </button>
        </Permitted>
      </div>
      {may('questions.answer') && (
        <section class="panel" aria-label="Add sources" hidden={!isOpen}>
          <Add agentId={agentId} onStored={reload} onSubmitted={training.look} />
          <Permitted needs="edit" what="other sources">
            <Files agentId={agentId} ended={training.ended} onSubmitted={training.look} />
          </Permitted>
        </section>
      )}
      <FailedSources agentId={agentId} ended={training.ended} onSubmitted={training.look} />
      <Problem failure={failure} retry={reload} />
      {!items && !failure && <Loading />}
      {isEmpty && (
        <Empty title="No sources yet.">
          <p>Drop files, or add a text, a question with its answer, or a page. Then ask the agent.</p>
        </Empty>
      )}
      {shown?.length === 0 && !isEmpty && <Empty title="No source matches." />}
      {shown && shown.length > 0 && (
        <SourceTable
          agentId={agentId}
          sources={shown}
          sort={sort}
          onSort={setSort}
          selected={selected}
          onSelect={may('edit') ? select : null}
          onChange={reload}
          onSubmitted={training.look}
        />
      )}
      {isTroubled && <Unsearched list={list} what="source" />}
      <More more={more} />
      {may('edit') && (
        <Selection
          agentId={agentId}
          sources={chosen}
          onNone={() => setSelected(NONE)}
          onSubmitted={training.look}
        />
      )}
    </>
  );
}
