import { useState } from 'preact/hooks';
import { askSession, type Person } from '../../api/person.js';
import { confirmDone } from '../../parts/announce.js';
import { CopyButton } from '../../parts/copy-button.js';
import { type FieldOptions, Form, password } from '../person-forms.js';
import { QrCode } from './qr-code.js';
import { RecoveryCodes } from './recovery-codes.js';

interface Offer {
  secret: string;
  uri: string;
  /** Password with which the offer was made; null for a person without one. */
  password: string | null;
}

const appCode: FieldOptions = {
  name: 'code',
  label: 'Code',
  autocomplete: 'one-time-code',
  hint: 'The six digits that the app shows now.',
};
const anyCode: FieldOptions = {
  ...appCode,
  hint: 'The six digits in your authenticator app, or one of your recovery codes.',
};

interface TwoFactorProps {
  user: Person['user'];
  onChanged: () => void;
}

/** Turns two-factor authentication on or off. */
export function TwoFactor({ user: { hasPassword, twoFactor }, onChanged }: TwoFactorProps) {
  const [offer, setOffer] = useState<Offer | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const confirmed = hasPassword ? [password] : [];
  const post = <T,>(body: object) => askSession<T>('/totp', { method: 'POST', body });

  if (codes)
    return (
      <RecoveryCodes
        codes={codes}
        onDone={() => {
          setCodes(null);
          confirmDone('Two-factor authentication is on.');
          onChanged();
        }}
      />
    );
  if (twoFactor)
    return (
      <>
        <p>Two-factor authentication is on. To use another app, turn it off and on again.</p>
        <Form
          fields={[...confirmed, anyCode]}
          action="Turn off"
          takesFocus={false}
          send={async (body) => {
            await askSession('/totp', { method: 'DELETE', body });
            confirmDone('Two-factor authentication is off.');
            onChanged();
          }}
        />
      </>
    );
  if (offer)
    return (
      <>
        <p>
          Scan the code with an authenticator app, or type the secret into it. Then enter the code it shows.
        </p>
        <QrCode text={offer.uri} label="QR code with the secret" />
        <p>
          <code class="totp-secret">{offer.secret}</code> <CopyButton text={offer.secret} what="secret" />
        </p>
        <Form
          fields={[appCode]}
          action="Turn on"
          send={async ({ code }) => {
            const sent = { code, ...(offer.password === null ? {} : { password: offer.password }) };
            setCodes((await post<{ recoveryCodes: string[] }>(sent)).recoveryCodes);
            setOffer(null);
          }}
        />
      </>
    );
  return (
    <>
      <p>
        After your password, Cadre asks for a code of an authenticator app on your phone. All your other
        sessions end when you turn it on.
      </p>
      <Form
        fields={confirmed}
        action="Set up"
        takesFocus={false}
        send={async (sent) => {
          const { secret, uri } = await post<Offer>(sent);
          setOffer({ secret, uri, password: sent.password ?? null });
        }}
      />
    </>
  );
}
