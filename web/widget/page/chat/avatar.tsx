import { useState } from 'preact/hooks';
import { pictureUrl } from '../picture.js';
import { Icon } from './icon.js';

/** The profile picture; the built-in icon if there is none or it cannot be loaded. */
export function Avatar({ url }: { url: string | null }) {
  const [broken, setBroken] = useState<string | null>(null);
  const src = pictureUrl(url);
  return (
    <span class="avatar">
      {src === null || src === broken ? (
        <Icon name="chat" />
      ) : (
        <img class="picture" src={src} alt="" referrerPolicy="no-referrer" onError={() => setBroken(src)} />
      )}
    </span>
  );
}
