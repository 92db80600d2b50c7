import { useState } from 'preact/hooks';
import { answerIn } from '../../../../core/knowledge/qna-text.js';
import { sourceTypeFacts } from '../../../../core/knowledge/source-types.js';
import { agentPath, ask } from '../../api/request.js';
import type { Source } from '../../api/types.js';
import { SchemaForm } from '../../forms/schema-form.js';
import { labelOf } from '../../forms/words.js';
import { useAction, useLoaded } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Confirm, Dialog } from '../../parts/confirm.js';
import { When } from '../../parts/figures.js';
import { Loading, Problem } from '../../parts/notice.js';
import { go, to } from '../../router.js';
import type { Watched } from '../../training.js';
import { Content } from './content.js';

interface SourcePageProps {
  agentId: string;
  documentId: string;
  training: Watched;
}

export function SourcePage({ agentId, documentId, training }: SourcePageProps) {
  const path = agentPath(agentId, 'sources', documentId);
  const about = [path, training.ended];
  const source = useLoaded((signal) => ask<Source>(path, { signal }), about);
  const content = useLoaded((signal) => ask<{ text: string }>(`${path}/content`, { signal }), about);
  const { data, failure } = source;
  return (
    <section>
      <p class="crumb">
        <a href={to('agents', agentId, 'sources')}>Sources</a>
      </p>
      <Problem failure={failure} retry={source.reload} />
      {!data && !failure && <Loading />}
      {data && (
        <>
          <div class="heading">
            <h2>{data.title}</h2>
            <Controls
              agentId={agentId}
              source={data}
              text={content.data?.text ?? null}
              onChange={() => {
                source.reload();
                content.reload();
              }}
              onSubmitted={training.look}
            />
          </div>
          <Facts {...data} />
        </>
      )}
      {!failure && <Problem failure={content.failure} retry={content.reload} />}
      {data && content.data && <Content text={content.data.text} chunks={data.sourceMetadata.chunks} />}
    </section>
  );
}

interface ControlsProps {
  agentId: string;
  source: Source;
  /** Null while it is loading. */
  text: string | null;
  onChange: () => void;
  /** Called with the job that reads the page. */
  onSubmitted: (jobId: string) => void;
}

function Controls({ agentId, source, text, onChange, onSubmitted }: ControlsProps) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const { sourceMetadata } = source;
  const path = agentPath(agentId, 'sources', source.id);
  const stored = text === null ? null : editable(source, text);
  const save = async (body: object) => {
    await ask(path, { method: 'PATCH', body });
    confirmDone('Saved. The agent has already learned it.');
    onChange();
    close();
  };
  const renewing = useAction();
  const renew = (url: string) =>
    renewing.run(async () => {
      const path = agentPath(agentId, 'sources', 'url');
      const { jobId } = await ask<{ jobId: string }>(path, { method: 'POST', body: { url } });
      confirmDone('The page is being read again.');
      onSubmitted(jobId);
    });
  return (
    <div class="actions">
      {'url' in sourceMetadata && (
        <button type="button" disabled={renewing.busy} onClick={() => void renew(sourceMetadata.url)}>
          Read it again
        </button>
      )}
      {stored && (
        <button type="button" onClick={() => setOpen('edit')}>
          Edit
        </button>
      )}
      <button type="button" class="danger" onClick={() => setOpen('delete')}>
        Delete
      </button>
      <Problem failure={renewing.failure} />
      {open === 'edit' && stored && (
        <Dialog title="Change what the agent learned" onClose={close}>
          <SchemaForm
            operation="updateSource"
            only={Object.keys(stored)}
            stored={stored}
            verb="Save"
            send={save}
            onCancel={close}
          />
        </Dialog>
      )}
      {open === 'delete' && (
        <Confirm
          title={`Forget ${source.title}?`}
          verb="Delete source"
          work={() => ask(path, { method: 'DELETE' })}
          onClose={(done) => {
            close();
            if (!done) return;
            confirmDone('The agent has forgotten it.');
            go('agents', agentId, 'sources');
          }}
        >
          <p>The agent forgets it at once. Old answers keep their quotes.</p>
        </Confirm>
      )}
    </div>
  );
}

/** Editable values; null for pages and files, which can only be read again. */
function editable(
  { title, sourceType, sourceMetadata }: Source,
  text: string,
): Record<string, unknown> | null {
  if (sourceType === 'text_snippet') return { title, content: text };
  if (sourceType !== 'qna_entry') return null;
  const { questions } = sourceMetadata;
  return { title, questions, answer: answerIn(text, questions) };
}

/** Long lists and hashes are not shown. */
const untold = new Set(['contentHash', 'questions', 'lastFailure', 'etag', 'lastModified']);

function Facts({ sourceType, createdAt, lastCrawledAt, sourceMetadata }: Source) {
  const facts = Object.entries(sourceMetadata).filter(
    ([name, value]) => !untold.has(name) && value !== null && typeof value !== 'object',
  );
  const lastFailure = 'lastFailure' in sourceMetadata ? sourceMetadata.lastFailure : undefined;
  return (
    <>
      {lastFailure && (
        <div class="notice bad">
          <p>
            <strong>The last update failed; the agent keeps the old text.</strong> {lastFailure.message}{' '}
            <code>{lastFailure.code}</code>
          </p>
        </div>
      )}
      <dl class="facts panel">
        <div>
          <dt>Type</dt>
          <dd>{sourceTypeFacts[sourceType].label}</dd>
        </div>
        <div>
          <dt>Added</dt>
          <dd>
            <When seconds={createdAt} />
          </dd>
        </div>
        {lastCrawledAt !== null && (
          <div>
            <dt>Last read</dt>
            <dd>
              <When seconds={lastCrawledAt} />
            </dd>
          </div>
        )}
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>{typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
