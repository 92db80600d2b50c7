import { useEffect, useRef } from 'preact/hooks';
import { Failure } from '../../api/failure.js';
import type { Source } from '../../api/types.js';
import { to } from '../../router.js';

/** What was to be added is a source already: nothing was stored. */
export class AlreadyThere extends Failure {
  readonly source: Source;
  constructor(source: Source) {
    super(`This is already in "${source.title}".`);
    this.source = source;
  }
}

/** Names the source, and leads to it. */
export const LinkTo = ({ agentId, source }: { agentId: string; source: Source }) => (
  <a href={to('agents', agentId, 'sources', source.id)}>{source.title}</a>
);

interface AlreadyInProps {
  agentId: string;
  /** What it is, to begin a sentence with. */
  what: string;
  told: AlreadyThere;
  /** Sends the form once more, for good. */
  onAnyway: (form: HTMLFormElement) => void;
}

/** Stands in a form: which source has it, and the way to have it twice. */
export function AlreadyIn({ agentId, what, told, onAnyway }: AlreadyInProps) {
  const notice = useRef<HTMLDivElement>(null);
  // The button that was pressed stood still meanwhile, and so lost the focus.
  useEffect(() => notice.current?.querySelector('a')?.focus(), [told]);
  return (
    <div class="notice" role="alert" ref={notice}>
      <p>
        {what} is already in <LinkTo agentId={agentId} source={told.source} />. Nothing was stored.
      </p>
      {/* No submit button: Enter in a field takes the first one of a form. */}
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
