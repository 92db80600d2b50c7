import { useState } from 'preact/hooks';
import { answerIn } from '../../../../../core/knowledge/text/qna-text.js';
import { agentPath, ask } from '../../api/request.js';
import type { Source } from '../../api/types.js';
import { SchemaForm } from '../../forms/schema-form.js';
import { useAction, useLoaded } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Dialog } from '../../parts/confirm.js';
import { Heading } from '../../parts/heading.js';
import { Loading, Problem } from '../../parts/notice.js';
import { Permitted } from '../../parts/permitted.js';
import { go } from '../../router.js';
import type { Watched } from '../../training.js';
import { Content } from './content.js';
import { deleteSources } from './deletion.js';
import { Facts } from './facts.js';
import { downloadOriginal, readAgain, urlIn } from './source-actions.js';
import { sourceTexts } from './source-texts.js';

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
      <Problem failure={failure} retry={source.reload} />
      {!data && !failure && <Loading />}
      {data && (
        <>
          <Heading title={data.title}>
            <Permitted needs="edit" what="changing it">
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
            </Permitted>
          </Heading>
          <Facts agentId={agentId} source={data} />
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
  const [isEditing, setEditing] = useState(false);
  const close = () => setEditing(false);
  const { sourceMetadata } = source;
  const path = agentPath(agentId, 'sources', source.id);
  const stored = text === null ? null : editable(source, text);
  const save = async (body: object) => {
    await ask(path, { method: 'PATCH', body });
    confirmDone('Saved. The agent has already learned it.');
    onChange();
    close();
  };
  const remove = () => {
    deleteSources(agentId, [source]);
    go('agents', agentId, 'sources');
  };
  const renewing = useAction();
  const url = urlIn(source);
  const accept = () =>
    renewing.run(async () => {
      const { jobId } = await ask<{ jobId: string }>(`${path}/accept`, { method: 'POST' });
      confirmDone('The page is being read again. Its text will be stored.');
      onSubmitted(jobId);
    });
  const isSuspect = 'lastFailure' in sourceMetadata && sourceMetadata.lastFailure?.code === 'PAGE_SUSPECT';
  return (
    <div class="actions">
      {url !== null && (
        <button
          type="button"
          disabled={renewing.busy}
          onClick={() => void renewing.run(async () => onSubmitted(await readAgain(agentId, url)))}
        >
          Read it again
        </button>
      )}
      {source.sourceType === 'file_upload' && (
        <button
          type="button"
          disabled={renewing.busy}
          onClick={() => void renewing.run(() => downloadOriginal(agentId, source))}
        >
          Download
        </button>
      )}
      {isSuspect && (
        <button type="button" disabled={renewing.busy} onClick={() => void accept()}>
          Accept the new text
        </button>
      )}
      {stored && (
        <button type="button" onClick={() => setEditing(true)}>
          Edit
        </button>
      )}
      <button type="button" class="danger" onClick={remove}>
        Delete
      </button>
      <Problem failure={renewing.failure} />
      {isEditing && stored && (
        <Dialog title="Change what the agent learned" onClose={close}>
          <SchemaForm
            operation="updateSource"
            only={Object.keys(stored)}
            stored={stored}
            texts={sourceTexts}
            verb="Save"
            send={save}
            onCancel={close}
          />
        </Dialog>
      )}
    </div>
  );
}

/** Returns the editable values; null for pages and files, which can only be read again. */
function editable(
  { title, sourceType, sourceMetadata }: Source,
  text: string,
): Record<string, unknown> | null {
  if (sourceType === 'text_snippet') return { title, content: text };
  if (sourceType !== 'qna_entry') return null;
  const { questions } = sourceMetadata;
  return { title, questions, answer: answerIn(text, questions) };
}
