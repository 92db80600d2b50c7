import { CopyText } from './copy-text.js';

/** Settings for the operator to copy into the configuration file. */
export const SettingsToCopy = ({ settings }: { settings: object }) => (
  <CopyText label="Settings for cadre.json" text={JSON.stringify(settings, null, 2)} />
);

/** Examples of settings that pages ask the operator for. */
const examples = {
  mail: {
    mail: {
      url: 'smtp://user@mail.acme.com:587',
      from: 'Acme <help@acme.com>',
      passwordFile: '/run/secrets/mail',
    },
  },
  widget: { widget: { enabled: true } },
  channel: {
    plugins: {
      channel: { use: 'graph', options: { baseUrl: 'https://graph.example.com', version: 'v24.0' } },
    },
  },
};

export const ExampleSettings = ({ of }: { of: keyof typeof examples }) => (
  <details>
    <summary>Settings to copy</summary>
    <SettingsToCopy settings={examples[of]} />
  </details>
);
