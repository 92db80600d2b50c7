import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Listed } from '../loading.js';
import { several } from './numbers.js';
import { Select } from './select.js';

/** The filters of a list. On a phone, a button with the number of active filters opens them. */
export function Filters({ set, children }: { set: number; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="filters-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {set > 0 ? `Filters (${set})` : 'Filters'}
      </button>
      <div class={isOpen ? 'filters open' : 'filters'}>{children}</div>
    </>
  );
}

interface FilterProps {
  label: string;
  /** Label of the choice that does not filter. Its value is ''. */
  any: string;
  /** Values and labels of the other choices. */
  choices: readonly (readonly [value: string, name: string])[];
  value: string;
  onChange: (value: string) => void;
}

/** Filters a list by one property of its items. */
export const Filter = ({ label, any, choices, value, onChange }: FilterProps) => (
  <Select
    class="filter"
    aria-label={label}
    choices={[['', any], ...choices]}
    value={value}
    onChange={onChange}
  />
);

/** The number of items of a list. `what` names one of them. */
export const Total = ({ list: { items, total }, what }: { list: Listed<unknown>; what: string }) => (
  <span class="muted" role="status">
    {items && several(total, what)}
  </span>
);
