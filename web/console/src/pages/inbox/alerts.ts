import { signal } from '@preact/signals';
import { SelfExplained } from '../../api/failure.js';

/** How the user wants to hear of visitors while looking at something else. Kept in the browser. */
export const alertKinds = ['notification', 'sound'] as const;
export type AlertKind = (typeof alertKinds)[number];

const keyOf = (kind: AlertKind): string => `cadre.inbox.${kind}`;

const chosen = (kind: AlertKind) => signal(localStorage.getItem(keyOf(kind)) === 'on');

export const alerts = { notification: chosen('notification'), sound: chosen('sound') };

/** Turns an alert on or off. Throws SelfExplained if the browser denies notifications, or has none. */
export async function choose(kind: AlertKind, isOn: boolean): Promise<void> {
  if (kind === 'notification' && isOn && (await globalThis.Notification?.requestPermission()) !== 'granted')
    throw new SelfExplained(
      'The browser does not allow notifications from this page. Allow them in its settings for this site.',
    );
  alerts[kind].value = isOn;
  localStorage.setItem(keyOf(kind), isOn ? 'on' : 'off');
}

const TONE_HZ = 660;
const TONE_S = 0.25;

/** Alerts the user as chosen. A notification is left out while the page is in view. */
export function alertUser(title: string, text: string): void {
  if (alerts.notification.value && document.hidden) new Notification(title, { body: text, tag: title });
  if (!alerts.sound.value) return;
  const sound = new AudioContext();
  const tone = new OscillatorNode(sound, { frequency: TONE_HZ });
  tone.connect(new GainNode(sound, { gain: 0.1 })).connect(sound.destination);
  tone.onended = () => void sound.close();
  tone.start();
  tone.stop(sound.currentTime + TONE_S);
}
