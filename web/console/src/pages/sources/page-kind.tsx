import { useEffect, useId, useState } from 'preact/hooks';
import { Select } from '../../parts/select.js';
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
      <Select
        id={id}
        value={kind}
        choices={Object.entries(pageKinds)}
        onChange={(value) => {
          setChosen(true);
          onChange(value as PageKind);
        }}
      />
    </p>
  );
}
