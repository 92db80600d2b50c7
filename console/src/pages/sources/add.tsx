import { useState } from 'preact/hooks';
import { description } from '../../api/description.js';
import { agentPath, ask } from '../../api/request.js';
import { SchemaForm } from '../../forms/schema-form.js';
import { useLoaded } from '../../loading.js';
import { announce } from '../../parts/announce.js';
import { Dialog } from '../../parts/confirm.js';

interface Way {
  /** Last part of the path below `sources`. */
  place: string;
  name: string;
  title: string;
}

const ways: Way[] = [
  { place: 'text', name: 'Text', title: 'Add a text' },
  { place: 'qna', name: 'Question and answer', title: 'Add a question with its answer' },
  { place: 'url', name: 'Page', title: 'Add a page' },
  { place: 'sitemap', name: 'Sitemap', title: 'Add the pages of a sitemap' },
];

const pathOf = (place: string): string => `/agents/{agentId}/sources/${place}`;

interface AddProps {
  agentId: string;
  /** Something was stored at once. */
  onStored: () => void;
  /** A job was submitted. */
  onSubmitted: (jobId: string) => void;
}

/** A button for each way to add a source that the API has, and the form behind it. */
export function Add({ agentId, onStored, onSubmitted }: AddProps) {
  const [open, setOpen] = useState<Way | null>(null);
  const { data } = useLoaded(description, []);
  const offered = ways.filter(({ place }) => data?.paths[pathOf(place)]?.post);
  const operation = open ? data?.paths[pathOf(open.place)]?.post?.operationId : undefined;
  const close = () => setOpen(null);
  const send = async (body: object) => {
    const path = agentPath(agentId, 'sources', open?.place ?? '');
    const answer = await ask<{ jobId?: string; message?: string }>(path, { method: 'POST', body });
    announce(answer.message ?? (answer.jobId ? 'It is being read.' : 'The agent has learned it.'));
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
          <SchemaForm operation={operation} verb="Add" send={send} onCancel={close} />
        </Dialog>
      )}
    </div>
  );
}
