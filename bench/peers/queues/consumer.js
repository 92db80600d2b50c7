/* The worker of one measured queue. Reports starts and ends in batches, to keep the overhead low. */

const [module, name, slots] = process.argv.slice(2);
const { work } = await import(`./${module}.js`);

const FLUSH_MS = 5;
let batch = { done: [], runs: [] };
const soon = () => {
  if (batch.done.length + batch.runs.length !== 1) return;
  setTimeout(() => {
    process.send(batch);
    batch = { done: [], runs: [] };
  }, FLUSH_MS);
};

process.on('disconnect', () => process.exit());
await work(name, {
  slots: Number(slots),
  onRun(id) {
    batch.runs.push([id, performance.timeOrigin + performance.now()]);
    soon();
  },
  onDone(id) {
    batch.done.push(id);
    soon();
  },
});
process.send('ready');
