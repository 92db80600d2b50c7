import { Dialog } from './confirm.js';

const shortcuts = [
  ['Ctrl K or ⌘ K', 'Go to a page, agent or source'],
  ['Ctrl S or ⌘ S', 'Save a form'],
  ['Enter', 'Send a question; Shift Enter begins a line'],
  ['Ctrl Enter or ⌘ Enter', 'Send a message in the inbox'],
  ['Escape', 'Close a window, a menu or a source'],
  ['?', 'List these shortcuts'],
] as const;

export const Shortcuts = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Shortcuts" onClose={onClose} isQuestion>
    <dl class="facts">
      {shortcuts.map(([keys, effect]) => (
        <div key={keys}>
          <dt>{effect}</dt>
          <dd>
            <kbd>{keys}</kbd>
          </dd>
        </div>
      ))}
    </dl>
    <div class="actions">
      <button type="button" class="primary" autofocus onClick={onClose}>
        Close
      </button>
    </div>
  </Dialog>
);
