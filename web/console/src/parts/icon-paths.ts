/*
 * Drawn for this console, as lines in a square of 24 units. No file of another project is part of them, so the licence is
 * that of Cadre.
 */
export const paths = {
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  ask: 'M4 5h16v11H10l-5 4v-4H4z',
  knowledge: 'M5 4h14v16H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11',
  inbox: 'M4 13 7 5h10l3 8v6H4zM4 13h5l1.5 3h3L15 13h5',
  talks: 'M3 4h13v9H8l-3 3v-3H3zM19 9h2v9h-2v3l-3-3h-6v-2',
  questions:
    'M9.5 9.5a2.6 2.6 0 1 1 3.8 2.3c-.9.5-1.3 1-1.3 2.2M12 17v.1M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  quality: 'm8 12 3 3 5-6M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  publish: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM3 12h18M12 3c3.5 4 3.5 14 0 18M12 3c-3.5 4-3.5 14 0 18',
  settings: 'M4 7h10M18 7h2M16 5v4M4 17h2M10 17h10M8 15v4',
  agents: 'M4 4h7v7H4zM14 4h6v7h-6zM4 14h7v6H4zM14 14h6v6h-6z',
  members:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-4 2.5-6 6-6s6 2 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M17.5 14.5c2.3.7 3.5 2.6 3.5 5.5',
  keys: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9v4M17 12v3',
  webhooks: 'M13 3 5 14h6l-1 7 8-11h-6z',
  models: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  audit: 'M8 6h12M8 12h12M8 18h12M4 6h.1M4 12h.1M4 18h.1',
  workspace: 'M4 18a9 9 0 1 1 16 0M12 15l4-5',
  api: 'm8 7-5 5 5 5M16 7l5 5-5 5M14 4l-4 16',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20',
  menu: 'M4 7h16M4 12h16M4 17h16',
  profile: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c0-4 3-6 7-6s7 2 7 6',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M9 12h9',
  up: 'M7 10v10H4V10zm0 0 4-7a2 2 0 0 1 2 2v4h6a2 2 0 0 1 2 2.4l-1.3 7a2 2 0 0 1-2 1.6H7',
  down: 'M17 14V4h3v10zm0 0-4 7a2 2 0 0 1-2-2v-4H5a2 2 0 0 1-2-2.4l1.3-7a2 2 0 0 1 2-1.6H17',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  again: 'M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7',
  edit: 'm4 20 1-4L16 5l3 3L8 19zM14 7l3 3',
  test: 'M9 3h6M10 3v6L4.5 19a1.4 1.4 0 0 0 1.3 2h12.4a1.4 1.4 0 0 0 1.3-2L14 9V3M7.5 15h9',
  more: 'M5 12h.1M12 12h.1M19 12h.1',
  done: 'm5 13 5 5 9-11',
  add: 'M12 5v14M5 12h14',
};

export type IconName = keyof typeof paths;
