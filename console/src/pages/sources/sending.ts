import { useEffect, useRef, useState } from 'preact/hooks';
import { asFailure, type Failure } from '../../api/failure.js';
import type { SignedUpload, Source } from '../../api/types.js';
import { FILES_AT_ONCE, putFile, registerUploads, signUploads, whyNot } from '../../api/upload.js';
import { useDoing } from '../../loading.js';
import { announce } from '../../parts/announce.js';
import { several } from '../../parts/figures.js';
import { knownFilesOf } from './known-files.js';

export interface Sent {
  name: string;
  size: number;
  /** 0 to 1. */
  done: number;
  problem: string | null;
  /** That reads it; null until it is registered. */
  jobId: string | null;
  /** The source that has its text already: it was not stored. */
  known: Source | null;
  file: File;
}

export interface SendingOptions {
  agentId: string;
  /** Goes up whenever a job has ended. */
  ended: number;
  /** Files are being read by this job. */
  onSubmitted: (jobId: string) => void;
}

export interface Sending {
  sent: Sent[];
  busy: boolean;
  failure: Failure | null;
  /** Of the look for files that were there already; `lookAgain` repeats it. */
  lookFailure: Failure | null;
  lookAgain: () => void;
  /** Sends the files and has them read. `unique`: a file whose text is there already is not stored. */
  take: (files: File[], unique: boolean) => void;
}

const fresh = (file: File) => ({ name: file.name, size: file.size, done: 0, jobId: null, known: null, file });

/** Sends files to the storage, has them read, and finds out which of them were there already. */
export function useSending({ agentId, ended, onSubmitted }: SendingOptions): Sending {
  const [sent, setSent] = useState<Sent[]>([]);
  const { busy, failure, run } = useDoing();
  const [lookFailure, setLookFailure] = useState<Failure | null>(null);
  const [round, setRound] = useState(0);
  const gone = useRef(new AbortController());
  useEffect(() => () => gone.current.abort(), []);

  const put = (at: number, change: Partial<Sent>) =>
    setSent((all) => all.map((file, index) => (index === at ? { ...file, ...change } : file)));

  /** Asks once for each job that has ended which of its files were there already. */
  useEffect(() => {
    const { signal } = gone.current;
    const ask = async (jobId: string): Promise<void> => {
      const known = await knownFilesOf(agentId, jobId, signal);
      if (known === null || signal.aborted) return;
      setSent((all) =>
        all.map((file) =>
          file.jobId === jobId
            ? { ...file, jobId: null, known: known.find(({ name }) => name === file.name)?.source ?? null }
            : file,
        ),
      );
      for (const { name, source } of known) announce(`The text of ${name} is already in ${source.title}.`);
    };
    setLookFailure(null);
    for (const jobId of new Set(sent.flatMap(({ jobId }) => jobId ?? [])))
      ask(jobId).catch((thrown) => {
        if (!signal.aborted) setLookFailure(asFailure(thrown));
      });
  }, [ended, round]);

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

  const take = (files: File[], unique: boolean) => {
    if (files.length === 0 || busy) return;
    const good = files.filter((file) => whyNot(file) === null);
    const bad = files.filter((file) => whyNot(file) !== null);
    // Others that wait for such a decision, or may come to that, stay.
    const undecided = unique
      ? []
      : sent.filter(({ known, jobId, file }) => (known || jobId) && !files.includes(file));
    setSent([
      ...good.map((file) => ({ ...fresh(file), problem: null })),
      ...bad.map((file) => ({ ...fresh(file), problem: `The file ${whyNot(file)}.` })),
      ...undecided,
    ]);
    void run(async () => {
      for (let first = 0; first < good.length; first += FILES_AT_ONCE) {
        const arrived = await sendAll(good.slice(first, first + FILES_AT_ONCE), first);
        if (arrived.length === 0) continue;
        const { jobId } = await registerUploads(agentId, arrived, unique);
        const end = Math.min(good.length, first + FILES_AT_ONCE);
        setSent((all) =>
          all.map((file, at) =>
            at >= first && at < end && !file.problem ? { ...file, jobId: String(jobId) } : file,
          ),
        );
        announce(`${several(arrived.length, 'file')} sent. They are being read.`);
        onSubmitted(String(jobId));
      }
    });
  };

  return { sent, busy, failure, lookFailure, lookAgain: () => setRound((count) => count + 1), take };
}
