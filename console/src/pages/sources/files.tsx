import { useEffect, useRef, useState } from 'preact/hooks';
import { fileExtensions } from '../../../../core/knowledge/file-types.js';
import { limits } from '../../../../core/schemas/limits.js';
import { asFailure } from '../../api/failure.js';
import type { SignedUpload } from '../../api/types.js';
import { FILES_AT_ONCE, putFile, registerUploads, signUploads, whyNot } from '../../api/upload.js';
import { useDoing } from '../../loading.js';
import { announce } from '../../parts/announce.js';
import { bytes, Progress, several } from '../../parts/figures.js';
import { Problem } from '../../parts/notice.js';

interface Sent {
  name: string;
  size: number;
  /** 0 to 1. */
  done: number;
  problem: string | null;
}

interface FilesProps {
  agentId: string;
  /** Files are being read by this job. */
  onSubmitted: (jobId: string) => void;
}

/** Takes files by drop or by choice, sends them to the storage, and has them read. */
export function Files({ agentId, onSubmitted }: FilesProps) {
  const [sent, setSent] = useState<Sent[]>([]);
  const [over, setOver] = useState(false);
  const { busy, failure, run } = useDoing();
  const input = useRef<HTMLInputElement>(null);
  const gone = useRef(new AbortController());
  useEffect(() => () => gone.current.abort(), []);

  const put = (at: number, change: Partial<Sent>) =>
    setSent((all) => all.map((file, index) => (index === at ? { ...file, ...change } : file)));

  /** Those that reached the storage; the others say why not. */
  async function sendAll(files: File[], first: number): Promise<SignedUpload[]> {
    const uploads = await signUploads(agentId, files);
    const arrived: SignedUpload[] = [];
    for (const [index, upload] of uploads.entries()) {
      const file = files[index];
      if (!file) continue;
      const at = first + index;
      try {
        await putFile(file, upload, { onProgress: (done) => put(at, { done }), signal: gone.current.signal });
        put(at, { done: 1 });
        arrived.push(upload);
      } catch (thrown) {
        put(at, { problem: asFailure(thrown).message });
      }
    }
    return arrived;
  }

  const take = (list: FileList | null | undefined) => {
    const files = [...(list ?? [])];
    if (files.length === 0 || busy) return;
    const good = files.filter((file) => whyNot(file) === null);
    const bad = files.filter((file) => whyNot(file) !== null);
    setSent([
      ...good.map(({ name, size }) => ({ name, size, done: 0, problem: null })),
      ...bad.map((file) => ({
        name: file.name,
        size: file.size,
        done: 0,
        problem: `The file ${whyNot(file)}.`,
      })),
    ]);
    void run(async () => {
      for (let first = 0; first < good.length; first += FILES_AT_ONCE) {
        const arrived = await sendAll(good.slice(first, first + FILES_AT_ONCE), first);
        if (arrived.length === 0) continue;
        const { jobId } = await registerUploads(agentId, arrived);
        announce(`${several(arrived.length, 'file')} sent. They are being read.`);
        onSubmitted(String(jobId));
      }
    });
    if (input.current) input.current.value = '';
  };

  return (
    <div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button in it is the first */}
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
      <Problem failure={failure} />
      {sent.length > 0 && (
        <ul class="plain sent" aria-label="Files that are sent">
          {sent.map(({ name, size, done, problem }, index) => (
            <li key={`${index}-${name}`}>
              {problem ? (
                <p class="task-problem" role="alert">
                  <strong>{name}</strong>: {problem}
                </p>
              ) : (
                <Progress label={name} value={done * 100} max={100}>
                  {done === 1 ? `sent, ${bytes(size)}` : `${Math.round(done * 100)}% of ${bytes(size)}`}
                </Progress>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
