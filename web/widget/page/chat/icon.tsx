import { iconPaths } from '../icons.js';

const paths = {
  ...iconPaths,
  send: 'M12 20V5m-6 6 6-6 6 6',
  stop: 'M7 7h10v10H7z',
  fresh: 'M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  done: 'm5 13 5 5 9-11',
  up: 'M7 10v10H4V10zm0 0 4-7a2 2 0 0 1 2 2v4h6a2 2 0 0 1 2 2.4l-1.3 7A2 2 0 0 1 17.7 20H7',
  down: 'M17 14V4h3v10zm0 0-4 7a2 2 0 0 1-2-2v-4H5a2 2 0 0 1-2-2.4l1.3-7A2 2 0 0 1 6.3 4H17',
};

export const Icon = ({ name }: { name: keyof typeof paths }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
