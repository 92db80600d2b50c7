import { useEffect, useRef, useState } from 'preact/hooks';
import { asFailure, type Failure } from '../../api/failure.js';
import type { SignedUpload, Source } from '../../api/types.js';
import { FILES_AT_ONCE, putFile, registerUploads, signUploads, uploadProblem } from '../../api/upload.js';
import { useAction } from '../../loading.js';
import { announce } from '../../parts/announce.js';
import { several } from '../../parts/numbers.js';
import { knownFilesOf } from './known-files.js';

export interface Sent {
  name: string;
  size: number;
  /** Fraction from 0 to 1. */
  done: number;
  problem: string | null;
  /** The job that reads the file; null until it is registered. */
  jobId: string | null;
  /** The existing source with the same text. The file was not stored. */
  known: Source | null;
  file: File;
}

export interface SendingOptions {
  agentId: string;
  /** Increases whenever a job ends. */
  ended: number;
  /** Called with the job that reads the files. */
  onSubmitted: (jobId: string) => void;
}

export interface Sending {
  sent: Sent[];
  busy: boolean;
  failure: Failure | null;
  /** Failure of the search for existing files; `lookAgain` retries it. */
  lookFailure: Failure | null;
  lookAgain: () => void;
  /** Uploads the files and submits them. With `unique`, a file whose text exists is not stored. */
  take: (files: File[], unique: boolean) => void;
}

const fresh = (file: File) => ({ name: file.name, size: file.size, done: 0, jobId: null, known: null, file });

/** Uploads files, submits them, and finds which of them already exist. */
export function useSending({ agentId, ended, onSubmitted }: SendingOptions): Sending {
  const [sent, setSent] = useState<Sent[]>([]);
  const { busy, failure, run } = useAction();
  const [lookFailure, setLookFailure] = useState<Failure | null>(null);
  const [round, setRound] = useState(0);
  const gone = useRef(new AbortController());
  useEffect(() => () => gone.current.abort(), []);

  const put = (at: number, change: Partial<Sent>) =>
    setSent((all) => all.map((file, index) => (index === at ? { ...file, ...change } : file)));

  /** Check each ended job once for existing files. */
  useEffect(() => {
    const { signal } = gone.current;
    const ask = async (jobId: string): Promise<void> => {
      const known = await knownFilesOf(agentId, jobId, signal);
      if (known === null || signal.aborted) return;
      // Remove files that were read or have failed: the list of sources and the training report show these.
      setSent((all) =>
        all.flatMap((file) => {
          if (file.jobId !== jobId) return [file];
          const source = known.find(({ name }) => name === file.name)?.source;
          return source ? [{ ...file, jobId: null, known: source }] : [];
        }),
      );
      for (const { name, source } of known) announce(`The text of ${name} is already in ${source.title}.`);
    };
    setLookFailure(null);
    for (const jobId of new Set(sent.flatMap(({ jobId }) => jobId ?? [])))
      ask(jobId).catch((thrown) => {
        if (!signal.aborted) setLookFailure(asFailure(thrown));
      });
  }, [ended, round]);

  /** Uploads files and returns the successful uploads. Files that failed keep their failures. */
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
    const good = files.filter((file) => uploadProblem(file) === null);
    const bad = files.filter((file) => uploadProblem(file) !== null);
    // Keep other files for which the user has yet to decide, or may have to.
    const undecided = unique
      ? []
      : sent.filter(({ known, jobId, file }) => (known || jobId) && !files.includes(file));
    setSent([
      ...good.map((file) => ({ ...fresh(file), problem: null })),
      ...bad.map((file) => ({ ...fresh(file), problem: `The file ${uploadProblem(file)}.` })),
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
