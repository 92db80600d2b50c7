import { useEffect, useId, useState } from 'preact/hooks';
import { guessedKind, type PageKind, pageKinds } from './guessed-kind.js';

interface PageKindFieldProps {
  address: string;
  kind: PageKind;
  onChange: (kind: PageKind) => void;
}

/** A choice that follows the address until the user makes it. */
export function PageKindField({ address, kind, onChange }: PageKindFieldProps) {
  const id = useId();
  const [isChosen, setChosen] = useState(false);
  useEffect(() => {
    if (!isChosen) onChange(guessedKind(address));
  }, [address]);
  return (
    <p class="field">
      <label for={id}>Page, sitemap or whole site?</label>
      <select
        id={id}
        value={kind}
        onChange={(event) => {
          setChosen(true);
          onChange(event.currentTarget.value as PageKind);
        }}
      >
        {Object.entries(pageKinds).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </p>
  );
}
