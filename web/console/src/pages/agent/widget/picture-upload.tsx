import { useEffect, useRef, useState } from 'preact/hooks';
import { limits } from '../../../../../../core/schemas/limits.js';
import { SelfExplained } from '../../../api/failure.js';
import { agentPath, ask } from '../../../api/request.js';
import { sentenceOf } from '../../../forms/limits.js';
import { labelOf } from '../../../forms/words.js';
import { useAction } from '../../../loading.js';
import { announce } from '../../../parts/announce.js';
import { Confirm } from '../../../parts/confirm.js';
import { Problem } from '../../../parts/notice.js';
import { bytes, count } from '../../../parts/numbers.js';

const { bytes: MAX_BYTES, side: MAX_PIXELS } = limits.pictures;

/** Path of an uploaded picture. The console's policy blocks pictures of other hosts. */
export const uploadedPath = (url: string): string | null =>
  /^(?:https?:\/\/[^/]+)?(\/widget\/pictures\/[0-9a-f]{64})$/.exec(url)?.[1] ?? null;

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new SelfExplained('The file could not be read. Choose it again.'));
    reader.readAsDataURL(file);
  });

interface PictureUploadProps {
  agentId: string;
  /** Field that holds the URL of the picture. */
  name: string;
  url: string;
  /** Paths of the pictures that the form names. */
  used: readonly (string | null)[];
  onChange: (url: string) => void;
}

/**
 * Uploads a picture for a field that holds its URL, and shows it. Pictures that the form no longer names can be deleted
 * until the page is closed.
 */
export function PictureUpload({ agentId, name, url, used, onChange }: PictureUploadProps) {
  const { busy, failure, run } = useAction();
  const [broken, setBroken] = useState<string | null>(null);
  const [seen, setSeen] = useState<readonly string[]>([]);
  const [leaving, setLeaving] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const label = labelOf(name).replace(/ URL$/, '');
  const path = uploadedPath(url);
  useEffect(() => {
    if (path !== null) setSeen((paths) => [...new Set([...paths, path])]);
  }, [path]);
  const upload = (chosen: File) =>
    run(async () => {
      // A larger request body would be refused without naming the limit of pictures.
      if (chosen.size > MAX_BYTES)
        throw new SelfExplained(
          `${chosen.name} is larger than ${bytes(MAX_BYTES)}. Choose a smaller picture.`,
        );
      const body = { data: await base64Of(chosen) };
      const stored = await ask<{ url: string }>(agentPath(agentId, 'pictures'), { method: 'POST', body });
      onChange(stored.url);
      announce('Picture uploaded.');
    });
  const problems = failure?.fieldErrors.data;
  return (
    <>
      <div class="picture-upload">
        {path !== null && path !== broken && (
          <img src={path} alt={`${label}: preview`} onError={() => setBroken(path)} />
        )}
        <button
          type="button"
          disabled={busy}
          aria-label={`Upload a picture: ${label}`}
          onClick={() => file.current?.click()}
        >
          Upload a picture
        </button>
        {path !== null && (
          <button type="button" class="quiet" aria-label={`Remove: ${label}`} onClick={() => onChange('')}>
            Remove
          </button>
        )}
        <span class="hint">
          PNG, JPEG or WebP, at most {bytes(MAX_BYTES)} and {count(MAX_PIXELS)} pixels a side
        </span>
        <input
          ref={file}
          type="file"
          class="unseen"
          tabIndex={-1}
          aria-label={`File: ${label}`}
          accept="image/png,image/jpeg,image/webp"
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? [];
            currentTarget.value = '';
            if (chosen) void upload(chosen);
          }}
        />
      </div>
      {seen
        .filter((one) => !used.includes(one))
        .map((one) => (
          <div key={one} class="picture-upload">
            <img src={one} alt={`${label}: not used any more`} />
            <span class="hint">Not used any more, and still stored.</span>
            <button type="button" class="danger" onClick={() => setLeaving(one)}>
              Delete picture
            </button>
          </div>
        ))}
      {leaving !== null && (
        <Confirm
          title="Delete this picture?"
          verb="Delete"
          work={() =>
            ask(agentPath(agentId, 'pictures', leaving.slice(leaving.lastIndexOf('/') + 1)), {
              method: 'DELETE',
            })
          }
          done="The picture was deleted."
          onClose={() => setLeaving(null)}
          onDone={() => setSeen(seen.filter((one) => one !== leaving))}
        >
          <p>Saved and earlier settings that name it show the built-in icon instead.</p>
        </Confirm>
      )}
      {problems ? (
        <p class="field-problem" role="alert">
          {problems.map((problem) => sentenceOf(problem, 'The picture')).join(' ')}
        </p>
      ) : (
        <Problem failure={failure} />
      )}
    </>
  );
}
