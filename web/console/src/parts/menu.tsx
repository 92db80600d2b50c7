import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.js';

export interface MenuItem {
  name: string;
  run: () => void;
  isDangerous?: boolean;
}

interface MenuProps {
  /** Name for screen readers. */
  label: string;
  items: readonly MenuItem[];
}

/** A button that shows actions. Escape, an action, and leaving it close it. */
export function Menu({ label, items }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    menu.current?.querySelector<HTMLElement>('.menu-items button')?.focus();
    const press = ({ target }: PointerEvent) => {
      if (!menu.current?.contains(target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', press);
    return () => removeEventListener('pointerdown', press);
  }, [isOpen]);
  const close = () => {
    menu.current?.querySelector<HTMLElement>('button')?.focus();
    setOpen(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons in it
    <div
      ref={menu}
      class="menu"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) close();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) setOpen(false);
      }}
    >
      <button type="button" class="quiet icon-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="more" />
        <span class="unseen">{label}</span>
      </button>
      {isOpen && (
        <div class="menu-items">
          {items.map(({ name, run, isDangerous }) => (
            <button
              key={name}
              type="button"
              class={isDangerous ? 'entry danger' : 'entry'}
              onClick={() => {
                close();
                run();
              }}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
