import { useId, useState } from 'preact/hooks';
import { Select } from '../../parts/select.js';
import { SettingsToCopy } from '../../parts/settings-to-copy.js';
import { type ModelKind, type ModelServer, modelKinds, modelSettings } from './model-settings.js';

const fields: [name: keyof ModelServer, label: string, hint: string][] = [
  ['baseUrl', 'Address', 'Base URL of the server, for example http://127.0.0.1:11434/v1'],
  ['model', 'Model name', 'The name of the model at the server'],
  ['apiKeyFile', 'Key file', 'Path of the file with the API key on the server of Cadre. Empty: no key'],
];

/** A form that fills in the settings for a model. Nothing is sent: the operator copies the result. */
export function ConnectModel({ isOpen }: { isOpen: boolean }) {
  const id = useId();
  const [kind, setKind] = useState<ModelKind>('model');
  const [server, setServer] = useState<ModelServer>({
    baseUrl: 'http://127.0.0.1:11434/v1',
    model: 'name-at-your-server',
    apiKeyFile: '',
  });
  return (
    <details class="others settings" open={isOpen}>
      <summary>Settings to connect a model</summary>
      <p class="about">
        Works with every server that has the endpoints <code>/chat/completions</code> or{' '}
        <code>/embeddings</code>. The operator merges the result into <code>cadre.json</code>, runs{' '}
        <code>cadre doctor</code> and restarts the service. <code>docs/models.md</code> explains all options.
      </p>
      <div class="field">
        <label for={`${id}-kind`}>Kind</label>
        <Select
          id={`${id}-kind`}
          value={kind}
          choices={Object.entries(modelKinds)}
          onChange={(value) => setKind(value as ModelKind)}
        />
      </div>
      {fields.map(([name, label, hint]) => (
        <div key={name} class="field">
          <label for={`${id}-${name}`}>{label}</label>
          <input
            id={`${id}-${name}`}
            value={server[name]}
            autocomplete="off"
            aria-describedby={`${id}-${name}-hint`}
            onInput={({ currentTarget }) => setServer({ ...server, [name]: currentTarget.value.trim() })}
          />
          <p class="hint" id={`${id}-${name}-hint`}>
            {hint}
          </p>
        </div>
      ))}
      <SettingsToCopy settings={modelSettings(kind, server)} />
    </details>
  );
}
