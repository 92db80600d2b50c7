import { describeAgentReads } from './store.contract.reads.js';
import { type DeclareTest, type MakeStores, type Subject, withSubject } from './store.contract.subject.js';
import { describeIndexSweeps, describeTaskSweeps } from './store.contract.sweeps.js';
import { describeTurnDocuments } from './store.contract.turn-documents.js';
import { describeTurnJobs } from './store.contract.turn-jobs.js';
import { describeTurns } from './store.contract.turns.js';
import { describeUploads } from './store.contract.uploads.js';
import { describeOperations, describeWorkspaces } from './store.contract.workspaces.js';

export type { DeclareTest, MakeStores, StoresUnderTest } from './store.contract.subject.js';

export type StoreTest = (name: string, body: (subject: Subject) => Promise<void>) => unknown;

/** Tests every promise of the store port except conversations. Needs only Node. */
export function describeStoreContract(declare: { test: DeclareTest }, make: MakeStores): void {
  const test: StoreTest = (name, body) => declare.test(name, () => withSubject(make, body));
  describeTurns(test);
  describeTurnDocuments(test);
  describeTurnJobs(test);
  describeUploads(test);
  describeAgentReads(test);
  describeTaskSweeps(test);
  describeIndexSweeps(test);
  describeWorkspaces(test);
  describeOperations(test);
}
