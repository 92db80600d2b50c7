import { useRef, useState } from 'preact/hooks';
import { description } from '../../api/description.js';
import { agentPath, ask, send as sendRequest } from '../../api/request.js';
import type { Source } from '../../api/types.js';
import { SchemaForm } from '../../forms/schema-form.js';
import { useLoaded } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Dialog } from '../../parts/confirm.js';
import { may } from '../../parts/permitted.js';
import { AlreadyIn, AlreadyThere } from './already-there.js';
import type { PageKind } from './guessed-kind.js';
import { PageKindField } from './page-kind.js';
import { sourceTexts, type Way, ways } from './source-texts.js';

const pathOf = (place: string): string => `/agents/{agentId}/sources/${place}`;

interface AddProps {
  agentId: string;
  /** Called when a source has been stored without a job. */
  onStored: () => void;
  /** Called when a job has been submitted. */
  onSubmitted: (jobId: string) => void;
}

/** A button and a form for each type of source in the API. */
export function Add({ agentId, onStored, onSubmitted }: AddProps) {
  const [open, setOpen] = useState<Way | null>(null);
  const { data } = useLoaded(description, []);
  const offered = ways.filter(
    ({ place }) => data?.paths[pathOf(place)]?.post && may(place === 'qna' ? 'questions.answer' : 'edit'),
  );
  const [kind, setKind] = useState<PageKind>('url');
  const isPage = open?.place === 'url';
  const place = isPage ? kind : (open?.place ?? '');
  const operation = data?.paths[pathOf(place)]?.post?.operationId;
  const anyway = useRef(false);
  const close = () => setOpen(null);
  const send = async (body: object) => {
    const path = agentPath(agentId, 'sources', place);
    const query = open?.same && !anyway.current ? { unique: 'true' } : {};
    const response = await sendRequest(path, { method: 'POST', body, query });
    const answer = (await response.json()) as { jobId?: string; message?: string; documentId?: string };
    if (query.unique && response.status === 200 && answer.documentId)
      throw new AlreadyThere(await ask<Source>(agentPath(agentId, 'sources', answer.documentId)));
    confirmDone(answer.message ?? (answer.jobId ? 'It is being read.' : 'The agent has learned it.'));
    if (answer.jobId === undefined) onStored();
    else onSubmitted(answer.jobId);
    close();
  };
  return (
    <div class="actions add">
      {offered.map((way) => (
        <button key={way.place} type="button" onClick={() => setOpen(way)}>
          {way.name}
        </button>
      ))}
      {open && operation && (
        <Dialog title={open.title} onClose={close}>
          <SchemaForm
            operation={operation}
            verb="Add"
            texts={sourceTexts}
            send={send}
            // Programs set ids of their own.
            hides={() => ['externalId']}
            notes={({ url }) =>
              isPage
                ? { url: <PageKindField address={String(url ?? '')} kind={kind} onChange={setKind} /> }
                : {}
            }
            onCancel={close}
            tell={(failure) =>
              failure instanceof AlreadyThere && (
                <AlreadyIn
                  agentId={agentId}
                  what={open.same ?? 'This'}
                  told={failure}
                  onAnyway={(form) => {
                    anyway.current = true;
                    form.requestSubmit();
                    anyway.current = false;
                  }}
                />
              )
            }
          />
        </Dialog>
      )}
    </div>
  );
}
