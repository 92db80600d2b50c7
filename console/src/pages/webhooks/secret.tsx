import { Dialog } from '../../parts/confirm.js';

/** A secret that is shown once. */
export const Secret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog title="The secret, shown only now" onClose={onClose}>
    <p>Your receiver checks the signature of each message with it. Keep it where you keep passwords.</p>
    <div class="field">
      <label for="secret">Secret</label>
      <input id="secret" readOnly value={secret} onFocus={(event) => event.currentTarget.select()} />
    </div>
    <div class="actions">
      <button type="button" class="primary" onClick={onClose}>
        I have kept it
      </button>
    </div>
  </Dialog>
);
