import { type IconName, paths } from './icon-paths.js';

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

interface IconButtonProps {
  icon: IconName;
  /** Name for screen readers, also shown as a tooltip. */
  label: string;
  disabled?: boolean;
  /** Set for buttons that stay pressed. */
  pressed?: boolean;
  onClick: () => void;
}

export const IconButton = ({ icon, label, disabled = false, pressed, onClick }: IconButtonProps) => (
  <button
    type="button"
    class="quiet icon-button"
    title={label}
    disabled={disabled}
    aria-pressed={pressed}
    onClick={onClick}
  >
    <Icon name={icon} />
    <span class="unseen">{label}</span>
  </button>
);
