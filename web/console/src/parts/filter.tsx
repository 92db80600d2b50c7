interface FilterProps {
  label: string;
  /** Name of the choice that does not filter; its value is ''. */
  any: string;
  /** Values and names of the other choices. */
  choices: readonly (readonly [value: string, name: string])[];
  value: string;
  onChange: (value: string) => void;
}

/** Filters a list by a value of its items. */
export const Filter = ({ label, any, choices, value, onChange }: FilterProps) => (
  <select
    class="filter"
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  >
    <option value="">{any}</option>
    {choices.map(([choice, name]) => (
      <option key={choice} value={choice}>
        {name}
      </option>
    ))}
  </select>
);
