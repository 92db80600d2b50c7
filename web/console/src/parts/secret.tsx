import type { ComponentChildren } from 'preact';
import { Dialog } from './confirm.js';
import { CopyButton } from './copy-button.js';

interface SecretProps {
  secret: string;
  onClose: () => void;
  /** Explains what the secret is for. */
  children: ComponentChildren;
}

/** Shows a new secret once. */
export const Secret = ({ secret, onClose, children }: SecretProps) => (
  <Dialog title="The secret is shown only once" onClose={onClose}>
    <p>{children} Store it like a password.</p>
    <div class="field">
      <label for="secret">Secret</label>
      <div class="with-button">
        <input id="secret" readOnly value={secret} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton text={secret} what="secret" />
      </div>
    </div>
    <div class="actions">
      <button type="button" class="primary" onClick={onClose}>
        I have saved it
      </button>
    </div>
  </Dialog>
);
