/** Runs in the attacked page. Returns the outcome of each way; `reached` if it got an answer of the console. */
export async function attack(workspaceId) {
  const reached = 'reached';
  const api = '/console/api/v2/me';
  const headers = { 'cadre-workspace': workspaceId, 'content-type': 'application/json' };
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const askBy = async (get, path, init = {}) => {
    const { status } = await get(path, { headers, credentials: 'include', ...init });
    return status < 400 ? reached : `status ${status}`;
  };
  /** A window that the page has opened: reads it, or asks through it. */
  const popup = (path) => async () => {
    const opened = window.open(path);
    if (!opened) return 'not opened';
    await wait(1500);
    try {
      if (/API|Agents|"id"/.test(opened.document.body.textContent ?? '') && path.startsWith('/console'))
        return reached;
      const theirs = opened.fetch;
      return await askBy(theirs.bind(opened), api);
    } finally {
      opened.close();
    }
  };
  const loads = (tag, attribute, path) => async () => {
    const element = document.createElement(tag);
    const loaded = new Promise((resolve) => {
      element.addEventListener('load', () => {
        try {
          const text = element.contentDocument?.body?.textContent ?? '';
          resolve(/"id"|API key|Agents/.test(text) ? reached : 'nothing to read');
        } catch {
          resolve('nothing to read');
        }
      });
      element.addEventListener('error', () => resolve('refused'));
      setTimeout(() => resolve('nothing happened'), 3000);
    });
    element.setAttribute(attribute, path);
    document.body.append(element);
    return loaded;
  };
  const ways = {
    'fetch of the API': () => askBy(fetch, api),
    'fetch of the session': () => askBy(fetch, '/console/session'),
    'fetch that signs out': () => askBy(fetch, '/console/session', { method: 'DELETE' }),
    'fetch that changes': () => askBy(fetch, api, { method: 'PATCH', body: '{"name":"Eve"}' }),
    'fetch of the other API with the cookie': () => askBy(fetch, '/api/v2/me'),
    XMLHttpRequest: () =>
      new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open('GET', api);
        request.setRequestHeader('cadre-workspace', workspaceId);
        request.onload = () => resolve(request.status < 400 ? reached : `status ${request.status}`);
        request.onerror = () => resolve('refused');
        request.send();
      }),
    form: async () => {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = '/console/session/password';
      form.target = 'attacked';
      document.body.append(form);
      form.submit();
      await wait(500);
      return 'sent nothing';
    },
    'frame of the console': loads('iframe', 'src', '/console'),
    'frame of the API': loads('iframe', 'src', api),
    'object of the API': loads('object', 'data', api),
    'script of the API': loads('script', 'src', api),
    'picture of the API': loads('img', 'src', api),
    sendBeacon: async () => {
      navigator.sendBeacon('/console/session/others', new Blob(['{}'], { type: 'application/json' }));
      await wait(500);
      return 'sent nothing';
    },
    worker: async () => {
      const source = new Blob([`postMessage('here')`], { type: 'text/javascript' });
      const worker = new Worker(URL.createObjectURL(source));
      return new Promise((resolve) => {
        worker.onmessage = () => resolve(reached);
        worker.onerror = () => resolve('refused');
        setTimeout(() => resolve('nothing happened'), 2000);
      });
    },
    EventSource: () =>
      new Promise((resolve) => {
        const source = new EventSource('/console/api/v2/inbox/events');
        source.onopen = () => resolve(reached);
        source.onerror = () => resolve('refused');
      }),
    WebSocket: () =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/console/api/v2/inbox/events`);
        socket.onopen = () => resolve(reached);
        socket.onerror = () => resolve('refused');
      }),
    'popup of the console': popup('/console'),
    'popup of the API': popup(api),
    'popup of JSON': popup('/openapi.json'),
    'popup of a 404': popup('/chat/none'),
    'popup of an asset': popup('/widget.js'),
    'popup of a picture': popup('/widget/pictures/none'),
    'popup of the reference': popup('/docs'),
    'popup of the share page': popup(location.pathname),
  };
  const outcomes = {};
  for (const [name, way] of Object.entries(ways))
    outcomes[name] = await way().catch((error) => `refused: ${error.name}`);
  return outcomes;
}
