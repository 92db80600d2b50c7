import { useState } from 'preact/hooks';
import { pictureUrl } from '../picture.js';
import { Icon } from './icon.js';

/** The profile picture. Without one, or if it cannot be loaded, the built-in icon. */
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
