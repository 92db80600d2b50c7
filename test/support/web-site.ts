import type { Test } from 'tap';
import { type ScriptedSite, scriptedSite } from './scripted-site.js';

/** A scripted site that is closed when the test ends. */
export async function webSite(t: Test): Promise<ScriptedSite> {
  const site = await scriptedSite();
  t.teardown(() => site.close());
  return site;
}
