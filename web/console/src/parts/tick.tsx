import type { ComponentChildren } from 'preact';

interface TickProps {
  checked: boolean;
  disabled?: boolean;
  title?: string;
  onChange: (checked: boolean) => void;
  children: ComponentChildren;
}

/** A checkbox with its label. */
export const Tick = ({ onChange, title, children, ...input }: TickProps) => (
  <label class="tick" title={title}>
    <input type="checkbox" {...input} onChange={(event) => onChange(event.currentTarget.checked)} />
    {children}
  </label>
);
