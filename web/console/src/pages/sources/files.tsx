import { useRef, useState } from 'preact/hooks';
import { fileExtensions } from '../../../../../core/knowledge/sources/file-types.js';
import { limits } from '../../../../../core/schemas/limits.js';
import { Progress } from '../../parts/figures.js';
import { Problem } from '../../parts/notice.js';
import { bytes } from '../../parts/numbers.js';
import { LinkTo } from './already-there.js';
import { type SendingOptions, type Sent, useSending } from './sending.js';

/** Accepts dropped or selected files and shows their progress. */
export function Files(options: SendingOptions) {
  const { sent, busy, failure, lookFailure, lookAgain, take } = useSending(options);
  return (
    <div>
      <DropZone busy={busy} onFiles={(files) => take(files, true)} />
      <Problem failure={failure} />
      <Problem failure={lookFailure} retry={lookAgain} />
      {sent.length > 0 && (
        <ul class="plain sent" aria-label="Files being sent">
          {sent.map((file, index) => (
            <li key={`${index}-${file.name}`}>
              <SentFile {...file} />
              {file.known && (
                <div class="notice">
                  <p>
                    The text of {file.name} is already in{' '}
                    <LinkTo agentId={options.agentId} source={file.known} />. Nothing was stored.
                  </p>
                  <button type="button" disabled={busy} onClick={() => take([file.file], false)}>
                    Add {file.name} anyway
                  </button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function DropZone({ busy, onFiles }: { busy: boolean; onFiles: (files: File[]) => void }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null | undefined) => {
    onFiles([...(files ?? [])]);
    // Clear the input, so that the same file can be selected again.
    if (input.current && !busy) input.current.value = '';
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button in it is the first
    <div
      class={`drop ${over ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <p>
        Drop files here, or{' '}
        <button type="button" disabled={busy} onClick={() => input.current?.click()}>
          choose files
        </button>
      </p>
      <p class="hint">
        {fileExtensions.join(', ')}; at most {bytes(limits.files.bytes)} each
      </p>
      <input
        ref={input}
        type="file"
        class="unseen"
        multiple
        tabIndex={-1}
        aria-label="Files"
        accept={fileExtensions.join(',')}
        onChange={(event) => take(event.currentTarget.files)}
      />
    </div>
  );
}

function SentFile({ name, size, done, problem, jobId, known }: Sent) {
  if (problem)
    return (
      <p class="task-problem" role="alert">
        <strong>{name}</strong>: {problem}
      </p>
    );
  if (done < 1)
    return (
      <Progress label={name} value={done * 100} max={100}>
        {Math.round(done * 100)}% of {bytes(size)}
      </Progress>
    );
  return (
    <p class="sent-file">
      <span>{name}</span>
      <span class={`state ${jobId === null ? '' : 'running'}`}>
        {jobId !== null ? 'Being read' : known ? 'Already known' : 'Sent'}
      </span>
    </p>
  );
}
