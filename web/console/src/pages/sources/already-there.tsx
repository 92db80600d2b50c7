import { useEffect, useRef } from 'preact/hooks';
import { Failure } from '../../api/failure.js';
import type { Source } from '../../api/types.js';
import { to } from '../../router.js';
import { discardUnsaved } from '../../unsaved.js';

/** The source already exists, and nothing was stored. */
export class AlreadyThere extends Failure {
  readonly source: Source;
  constructor(source: Source) {
    super(`This is already in "${source.title}".`);
    this.source = source;
  }
}

/** A link to the source with its title. Following it discards the form, because its content already exists. */
export const LinkTo = ({ agentId, source }: { agentId: string; source: Source }) => (
  <a href={to('agents', agentId, 'sources', source.id)} onClick={discardUnsaved}>
    {source.title}
  </a>
);

interface AlreadyInProps {
  agentId: string;
  /** Subject of the message. */
  what: string;
  told: AlreadyThere;
  /** Sends the form again and stores a duplicate. */
  onAnyway: (form: HTMLFormElement) => void;
}

/** A message in a form: the existing source, and a button to add the content anyway. */
export function AlreadyIn({ agentId, what, told, onAnyway }: AlreadyInProps) {
  const notice = useRef<HTMLDivElement>(null);
  // Move the focus to the link, because the disabled submit button has lost it.
  useEffect(() => notice.current?.querySelector('a')?.focus(), [told]);
  return (
    <div class="notice" role="alert" ref={notice}>
      <p>
        {what} is already in <LinkTo agentId={agentId} source={told.source} />. Nothing was stored.
      </p>
      {/* Not a submit button, because Enter would press it. */}
      <button
        type="button"
        onClick={({ currentTarget: { form } }) => {
          if (form) onAnyway(form);
        }}
      >
        Add it anyway
      </button>
    </div>
  );
}
