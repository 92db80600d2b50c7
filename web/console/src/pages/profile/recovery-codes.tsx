import { CopyButton } from '../../parts/copy-button.js';

interface RecoveryCodesProps {
  codes: readonly string[];
  onDone: () => void;
}

/** Shows the recovery codes once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const text = `${codes.join('\n')}\n`;
  const download = () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'cadre-recovery-codes.txt';
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <>
      <h3>Save your recovery codes</h3>
      <p>
        Each of them signs you in once if you lose your authenticator app. They are shown only now. Store them
        like a password.
      </p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <CopyButton text={text} what="recovery codes" />
        <button type="button" onClick={download}>
          Download
        </button>
        <button type="button" class="primary" onClick={onDone}>
          I have saved them
        </button>
      </div>
    </>
  );
}
