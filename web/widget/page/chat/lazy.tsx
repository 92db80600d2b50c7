import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Returns a component whose module is loaded when it is first shown. Shows nothing until then. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(() => loaded);
    useEffect(() => {
      if (Part) return;
      let isCurrent = true;
      load().then(
        (component) => {
          loaded = component;
          if (isCurrent) setPart(() => component);
        },
        () => {},
      );
      return () => {
        isCurrent = false;
      };
    }, []);
    return Part && <Part {...props} />;
  };
}
