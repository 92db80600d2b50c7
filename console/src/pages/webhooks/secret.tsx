import { Dialog } from '../../parts/confirm.js';

export const Secret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog title="The secret is shown only once" onClose={onClose}>
    <p>Your receiver checks the signature of each message with it. Store it like a password.</p>
    <div class="field">
      <label for="secret">Secret</label>
      <input id="secret" readOnly value={secret} onFocus={(event) => event.currentTarget.select()} />
    </div>
    <div class="actions">
      <button type="button" class="primary" onClick={onClose}>
        I have saved it
      </button>
    </div>
  </Dialog>
);
