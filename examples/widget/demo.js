const query = new URLSearchParams(location.search);
const service = query.get('service') ?? 'http://127.0.0.1:3000';

// Calls from before the widget is loaded wait in `cadre.q`.
window.cadre ??= (...call) => {
  window.cadre.q ??= [];
  window.cadre.q.push(call);
};

for (const button of document.querySelectorAll('#commands button'))
  button.addEventListener('click', () => window.cadre(button.textContent));

for (const name of ['ready', 'open', 'close', 'message', 'identity', 'error'])
  window.cadre('on', name, (detail) => {
    const line = document.createElement('li');
    line.textContent = [name, detail && JSON.stringify(detail)].filter(Boolean).join(' ');
    document.querySelector('#events').append(line);
  });

const script = document.createElement('script');
script.src = `${service}/widget.js`;
script.dataset.agentId = query.get('agent') ?? '';
script.async = true;
document.head.append(script);
