interface SelectProps {
  id?: string;
  name?: string;
  class?: string;
  'aria-label'?: string;
  disabled?: boolean;
  value?: string;
  /** Values and labels. */
  choices: readonly (readonly [value: string, label: string])[];
  onChange?: (value: string) => void;
}

export const Select = ({ choices, onChange, ...select }: SelectProps) => (
  <select {...select} onChange={(event) => onChange?.(event.currentTarget.value)}>
    {choices.map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
);
