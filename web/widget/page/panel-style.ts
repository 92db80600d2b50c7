/** Loads the style of the panel, which is not needed while the panel is closed. */
export function loadPanelStyle(): Promise<unknown> {
  const link = document.querySelector<HTMLLinkElement>('link[data-panel]');
  if (!link?.disabled) return Promise.resolve();
  return new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', reject);
    link.disabled = false;
  });
}
