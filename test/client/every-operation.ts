import { ok } from '@oazapfts/runtime';
import * as client from './generated/client.js';

/*
 * A customer's program. It only uses the generated client, compiled against its types, and calls every operation.
 * The test that runs it generates the client.
 */

export interface Surroundings {
  baseUrl: string;
  apiKey: string;
  /** Of an account on a social platform. */
  socialToken: string;
  /** A person writes to that account. */
  writeToAccount(): Promise<unknown>;
  /** Origin of a site with `/page`, with `/walled`, which is a check for robots the second time, and without `/gone`, that accepts webhooks at `/hooks`. */
  site: string;
  /** Makes the next answer call the tool `open_ticket` with this id. */
  askForTool(toolCallId: string): void;
  /** Sends the requests. */
  fetch: typeof fetch;
}

/** Calls all operations successfully, or rejects. Resolves with the names of the called ones. */
export async function callEveryOperation({
  baseUrl,
  apiKey,
  socialToken,
  writeToAccount,
  site,
  askForTool,
  fetch,
}: Surroundings): Promise<Set<string>> {
  Object.assign(client.defaults, {
    baseUrl: `${baseUrl}/api/v2`,
    headers: { authorization: `Bearer ${apiKey}` },
    fetch,
  });
  const called = new Set<string>();
  const api = new Proxy(client, {
    get(target, name: keyof typeof client) {
      called.add(name);
      return target[name];
    },
  });
  const health: { status: 'ok' } = await ok(api.getHealth());
  if (health.status !== 'ok') throw new Error('the service is not well');
  const { id } = await ok(api.createAgent({ name: 'Support' }, { idempotencyKey: 'first' }));
  await agentsAndSettings(api, id);
  await textsAndFiles(api, id);
  await pagesAndJobs(api, id, site);
  await conversations(api, id, askForTool);
  await evaluations(api, id);
  await visitors(api, id);
  await socialChannel(api, id, { accessToken: socialToken, writeToAccount });
  await webhooks(api, `${site}/hooks`);
  await keys(api, id);
  await ok(api.listAuditLog({ limit: 1 }));
  await people(api);
  await ok(api.deleteAgent(id));
  return called;
}

type Api = typeof client;

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

async function agentsAndSettings(api: Api, id: string): Promise<void> {
  const { allowances } = await ok(api.getWorkspace({ days: 1 }));
  const { data, pagination } = await ok(api.listAgents({ limit: 1 }));
  mustBe(allowances.agents.used === 1 && pagination.total === 1 && data[0]?.id === id, 'one agent');
  mustBe((await ok(api.listTemplates())).data.length === 5, 'five starting points');
  mustBe((await ok(api.getHome(id))).checklist.length === 4, 'what it needs');
  const { data: models } = await ok(api.listModels());
  const test = await ok(api.testModel({ model: 'vendorB/familyB-haiku-4-5' }));
  mustBe(models.length > 0 && test.latencyMs >= 0, 'models');
  const { url } = await ok(api.updateAgent(id, { url: 'https://acme.com' }));
  const { settings } = await ok(api.getAgent(id));
  mustBe(url === 'https://acme.com' && settings.ai === undefined, 'a website, and no settings');
  await ok(api.updateAiSettings(id, { instructionsPreset: 'customer-support' }));
  const { instructionsPreset } = await ok(api.getAiSettings(id));
  mustBe(instructionsPreset === 'customer-support', 'the preset');
  await ok(api.updateSecuritySettings(id, { isPrivate: false }));
  await ok(api.getSecuritySettings(id));
  await ok(api.updateNotificationSettings(id, { quotaAlerts: false }));
  await ok(api.getNotificationSettings(id));
  await ok(api.updateTrainingSettings(id, { autoRetrainEnabled: false }));
  await ok(api.getTrainingSettings(id));
  await ok(api.updateDesignSettings(id, { title: 'Drafted' }, { draft: true }));
  mustBe((await ok(api.getDesignSettings(id, { draft: true }))).title === 'Drafted', 'the draft');
  mustBe((await ok(api.getDraft(id))).changes[0]?.field === 'design.title', 'what the draft changes');
  await ok(api.chatWithDraft(id, { message: 'Hello', stream: false }));
  await ok(api.publishDraft(id, {}));
  await ok(api.updateDesignSettings(id, { title: 'Drafted again' }, { draft: true }));
  await ok(api.discardDraft(id));
  await ok(api.updateShareSettings(id, { enabled: true }));
  mustBe((await ok(api.getShareSettings(id))).enabled === true, 'the agent is shared');
  await ok(api.updateHandoverSettings(id, { enabled: true, unansweredMessage: 'Ask us.' }));
  const { unansweredMessage } = await ok(api.getHandoverSettings(id));
  mustBe(unansweredMessage === 'Ask us.', 'the message');
  await ok(api.updateScheduleSettings(id, { every: 6, unit: 'hours' }));
  const { every, nextAt } = await ok(api.getScheduleSettings(id));
  mustBe(every === 6 && nextAt === null, 'the schedule');
  const picture = await ok(api.addPicture(id, { data: PIXEL }));
  await ok(api.updateDesignSettings(id, { bubbleIconUrl: picture.url }));
  await ok(api.updateDesignSettings(id, { bubbleIconUrl: null }));
  await ok(api.deletePicture(id, picture.hash));
  const copy = await ok(api.copyAgent(id, { name: 'Copy', sources: true }));
  const copied = await ok(api.getJob(copy.agentId, copy.jobId, { wait: 30 }));
  mustBe(copied.status === 'completed' && copied.leftOut?.length === 0, 'a whole copy');
  await ok(api.deleteAgent(copy.agentId));
  const all = await ok(api.updateDesignSettings(id, { title: 'Ask us', language: 'en' }));
  const { title } = await ok(api.getDesignSettings(id));
  mustBe(title === all.title && all.training?.autoRetrainEnabled === false, 'the design');
  const { data: versions } = await ok(api.listVersions(id));
  const number = String(versions.at(-1)?.number);
  await ok(api.getVersion(id, number));
  await ok(api.restoreVersion(id, number));
  await ok(api.deleteVersion(id, number));
}

async function evaluations(api: Api, id: string): Promise<void> {
  await ok(api.updateEvaluationSettings(id, { afterTraining: false }));
  const { afterTraining } = await ok(api.getEvaluationSettings(id));
  mustBe(afterTraining === false, 'the setting');
  const { id: messageId, metadata } = await ok(api.chat(id, { message: 'When do you open?', stream: false }));
  const { conversationId } = metadata as { conversationId: string };
  const past = await ok(api.keepMessageAsQuestion(id, { conversationId, messageId: messageId ?? '' }));
  mustBe(past.question.question === 'When do you open?', 'the question of the message');
  const questions = [{ question: 'Where is the warehouse?', answer: [['Rotterdam']] }];
  const { data: kept } = await ok(api.keepEvaluationQuestions(id, { questions }));
  mustBe(kept.length === 1, 'a kept question');
  const { pagination } = await ok(api.listEvaluationQuestions(id));
  mustBe(pagination.total === 2, 'both questions');
  await ok(api.updateDesignSettings(id, { title: 'Drafted' }, { draft: true }));
  const { id: ofDraft } = await ok(api.evaluateDraft(id));
  await ok(api.deleteEvaluation(id, ofDraft));
  await ok(api.discardDraft(id));
  const { id: evaluationId } = await ok(api.createEvaluation(id, { name: 'First' }));
  const { status } = await ok(api.cancelEvaluation(id, evaluationId));
  mustBe(status === 'cancelled' || status === 'completed', 'the end');
  const { figures } = await ok(api.getEvaluation(id, evaluationId));
  mustBe(figures.questions === 2, 'two questions');
  const { data: listed } = await ok(api.listEvaluations(id));
  const { data: results } = await ok(api.listEvaluationResults(id, evaluationId));
  mustBe(listed.length === 1 && results.length === 2, 'the results');
  await ok(api.deleteEvaluation(id, evaluationId));
  const { deleted } = await ok(api.deleteEvaluationQuestion(id, past.id));
  mustBe(deleted, 'a kept question can be deleted');
}

async function keys(api: Api, agentId: string): Promise<void> {
  const made = await ok(api.createKey({ name: 'Reports', scope: 'read', agentIds: [agentId] }));
  const { data } = await ok(api.listKeys({ limit: 1 }));
  mustBe(data[0]?.prefix === made.secret.slice(0, 8), 'the new key');
  const { deleted } = await ok(api.deleteKey(made.id));
  mustBe(deleted, 'a key can be deleted');
}

async function people(api: Api): Promise<void> {
  const me = await ok(api.getMe());
  mustBe(me.type === 'key' && me.permissions.includes('members.manage'), 'a key with its rights');
  const invited = await ok(api.inviteMember({ email: 'ada@acme.example', role: 'viewer' }));
  const again = await ok(api.inviteMemberAgain(invited.id));
  mustBe(invited.inviteUrl !== again.inviteUrl, 'another link');
  const changed = await ok(api.updateMember(invited.id, { role: 'editor' }));
  const { data } = await ok(api.listMembers({ limit: 1 }));
  mustBe(changed.role === 'editor' && data[0]?.id === invited.id, 'the invited member');
  const { deleted } = await ok(api.deleteMember(invited.id));
  mustBe(deleted, 'a member can be deleted');
  // Only a person may do these.
  const refusals = [
    await api.updateMe({ away: true }),
    await api.updateWorkspace({ name: 'Acme' }),
    await api.testMail(),
  ];
  mustBe(
    refusals.every(({ status }) => status === 403),
    'refused to a key',
  );
}

async function textsAndFiles(api: Api, id: string): Promise<void> {
  const { documentId } = await ok(api.addTextSource(id, { title: 'Hours', content: 'We open at nine.' }));
  await ok(api.addQnaSource(id, { title: 'Returns', questions: ['Can I?'], answer: 'Within 30 days.' }));
  await ok(api.updateSource(id, documentId, { content: 'We open at ten.' }));
  const { text } = await ok(api.getSourceContent(id, documentId));
  mustBe(text === 'We open at ten.', 'the new text');
  const source = await ok(api.getSource(id, documentId));
  mustBe(source.sourceType === 'text_snippet' && source.sourceMetadata.bytes === 15, 'its metadata');
  const { data: hits } = await ok(api.search(id, { query: 'When do you open?', limit: 1 }));
  mustBe(hits[0]?.documentId === documentId, 'the hit');

  const { files } = await ok(api.createUploadUrls(id, { files: [{ fileName: 'a.txt' }] }));
  for (const { uploadUrl } of files) {
    const headers = { 'content-type': 'text/plain' };
    const { status } = await fetch(uploadUrl, { method: 'PUT', headers, body: 'A warehouse.' });
    mustBe(status < 300, 'the upload');
  }
  const registered = files.map(({ fileName, storagePath }) => ({ fileName, storagePath }));
  const { jobId } = await ok(api.registerFiles(id, { files: registered }));
  const { status } = await ok(api.getJob(id, String(jobId), { wait: 30 }));
  mustBe(status === 'completed', 'the file');
  const { data } = await ok(api.listSources(id, { sourceType: 'file_upload' }));
  const original = await api.getSourceOriginal(id, data[0]?.id ?? '');
  mustBe(original.status === 200, 'the file as it was uploaded');
  mustBe(data[0]?.sourceType === 'file_upload' && data[0].sourceMetadata.fileName === 'a.txt', 'its source');
  const { deleted } = await ok(api.deleteSource(id, documentId));
  mustBe(deleted, 'a source can be deleted');
}

async function pagesAndJobs(api: Api, id: string, site: string): Promise<void> {
  const page = await ok(api.addUrlSource(id, { url: `${site}/page` }));
  await ok(api.getJob(id, page.jobId, { wait: 30 }));
  const renewed = await api.retrain(id);
  if (renewed.status !== 202) throw new Error(`there is a page to renew: ${renewed.status}`);
  await ok(api.getJob(id, renewed.data.jobId, { wait: 30 }));

  const walled = await ok(api.addUrlSource(id, { url: `${site}/walled` }));
  await ok(api.getJob(id, walled.jobId, { wait: 30 }));
  const { data: pages } = await ok(api.listSources(id, { sourceType: 'web_crawl', limit: 1 }));
  const suspect = await ok(api.addUrlSource(id, { url: `${site}/walled` }));
  const { tasks: refused } = await ok(api.getJob(id, suspect.jobId, { wait: 30 }));
  mustBe(refused?.[0]?.lastError?.code === 'PAGE_SUSPECT', 'a check for robots');
  const acceptedNow = await ok(api.acceptSource(id, pages[0]?.id ?? ''));
  const ended = await ok(api.getJob(id, acceptedNow.jobId, { wait: 30 }));
  mustBe(ended.status === 'completed', 'the text that was accepted');
  const { data: changes } = await ok(api.listSourceChanges(id, pages[0]?.id ?? ''));
  mustBe(changes[0]?.diff[0]?.op === '-', 'what has changed');

  const gone = await ok(api.addUrlSource(id, { url: `${site}/gone` }));
  await ok(api.getJob(id, gone.jobId, { wait: 30 }));
  const { data: tasks } = await ok(api.listTasks(id, gone.jobId, { status: 'failed' }));
  mustBe(tasks[0]?.lastError?.code === 'HTTP_NOT_FOUND', 'why it failed');
  const { data: failures } = await ok(api.listFailures(id));
  mustBe(failures[0]?.code === 'HTTP_NOT_FOUND', 'the page is among the failures');
  const again = await ok(api.retryFailure(id, failures[0]?.id ?? ''));
  await ok(api.getJob(id, again.jobId, { wait: 30 }));
  const { data: repeated } = await ok(api.listFailures(id));
  await ok(api.deleteFailure(id, repeated[0]?.id ?? ''));
  const retried = await api.retryJob(id, gone.jobId);
  if (retried.status !== 202) throw new Error(`there is a task to try again: ${retried.status}`);
  await ok(api.getJob(id, retried.data.jobId, { wait: 30 }));

  const { jobId, scope } = await ok(api.addSitemapSource(id, { url: `${site}/sitemap.xml`, limit: 1 }));
  mustBe(scope.limit === 1, 'the scope');
  const whole = await ok(api.addSiteSource(id, { url: site, depth: 0, limit: 1 }));
  mustBe(whole.scope.depth === 0, 'the scope of a site');
  const { site: report } = await ok(api.getJob(id, whole.jobId, { wait: 30 }));
  mustBe(report?.id === whole.siteId, 'the report of a site');
  const { data: sites } = await ok(api.listSites(id));
  mustBe(sites[0]?.lastJobId === whole.jobId, 'the last job of a site');
  const changed = await ok(api.updateSite(id, whole.siteId, { exclude: ['/drafts/**'] }));
  mustBe(changed.exclude[0] === '/drafts/**', 'the rules of a site');
  mustBe((await ok(api.getSite(id, whole.siteId))).limit === 1, 'a site');
  await ok(api.refreshSite(id, whole.siteId));
  await ok(api.deleteSite(id, whole.siteId, { sources: true }));

  const { status } = await ok(api.cancelJob(id, jobId));
  mustBe(status !== 'pending', 'a job that was cancelled has ended');
  await ok(api.getTrainingStatus(id, { wait: 30 }));
  const { pagination } = await ok(api.listJobs(id, { $type: 'index_url' }));
  mustBe(pagination.total === 5, 'five pages were asked for');
}

async function conversations(api: Api, id: string, askForTool: Surroundings['askForTool']): Promise<void> {
  const said = await ok(api.chat(id, { message: 'Where?', stream: false, userId: 'u-1' }));
  const { conversationId } = said.metadata;
  if (said.id === null || conversationId === null) throw new Error('the answer was stored');
  await ok(api.giveFeedback(id, conversationId, said.id, { feedback: 'positive' }));
  const { feedback } = await ok(api.getMessage(id, conversationId, said.id));
  mustBe(feedback === 'positive', 'the feedback');
  await ok(api.retryMessage(id, conversationId, { messageId: said.id, stream: false }));
  const { stopped } = await ok(api.stopAnswer(id, conversationId));
  mustBe(!stopped, 'nothing is under way');
  const nothing = await api.followAnswer(id, conversationId);
  mustBe(nothing.status === 204, 'nothing to follow');

  askForTool('call-1');
  const tools = [{ name: 'open_ticket', inputSchema: { type: 'object' } }];
  const asked = await ok(api.chat(id, { message: 'A ticket', conversationId, stream: false, tools }));
  const call = asked.parts.find((part) => part.type === 'tool-call');
  if (call?.type !== 'tool-call') throw new Error('the agent asks for a tool');
  await ok(api.sendToolResult(id, conversationId, { toolCallId: call.toolCallId, output: { ticket: 7 } }));

  const { data } = await ok(api.listConversations(id, { userId: 'u-1' }));
  const { messages } = await ok(api.getConversation(id, conversationId));
  const listed = await ok(api.listMessages(id, conversationId, { limit: 1 }));
  const exported = await ok(api.exportConversations(id, { include: 'summary' }));
  mustBe(data.length === 1 && exported.data.length === 1, 'one conversation');
  mustBe(listed.pagination.total === messages.length, 'the same messages');
  const { data: open } = await ok(api.listQuestions(id, { outcome: 'unanswered' }));
  const { resolved } = await ok(api.resolveQuestion(id, { question: open[0]?.question ?? 'Where?' }));
  mustBe(resolved, 'a question can be resolved');
  const { days } = await ok(api.getStatistics(id));
  mustBe(days.at(-1)?.conversations === 1, 'a conversation today');
  await ok(api.deleteConversation(id, conversationId));
}

async function visitors(api: Api, id: string): Promise<void> {
  const { token } = await ok(api.createChatToken(id, { userId: 'u-1' }));
  mustBe(token.split('.').length === 3, 'a token');
  const form = { fields: [{ name: 'email', required: true } as const] };
  await ok(api.updateHandoverSettings(id, { form }));
  const asVisitor = { headers: { authorization: `Bearer ${token}` } };
  const said = await ok(api.chat(id, { message: 'Where?', stream: false }, {}, asVisitor));
  const { conversationId } = said.metadata;
  if (conversationId === null) throw new Error('the answer was stored');
  const asked = await ok(api.requestPerson(id, conversationId, { reason: 'A parcel' }, {}, asVisitor));
  mustBe(asked.state === 'agent', 'no person is available');
  await ok(api.markConversationRead(id, conversationId));
  const left = await ok(api.leaveContact(id, conversationId, { email: 'ada@acme.com' }, {}, asVisitor));
  const contact = await ok(api.getContact(id, left.id));
  const { data: contacts } = await ok(api.listContacts(id));
  mustBe(contact.email === 'ada@acme.com' && contacts.length === 1, 'one contact');
  // The client reads one line of NDJSON as JSON.
  const exported = await api.exportVisitor({ email: 'ada@acme.com', agentId: id });
  mustBe(exported.status === 200, 'an export');
  await ok(api.deleteContact(id, left.id));
  const erasure = await ok(api.eraseVisitor({ userId: 'u-1', agentId: id }));
  const { status } = await ok(api.getErasure(erasure.id));
  mustBe(status === 'running' || status === 'done', 'an erasure');
  const { secret } = await ok(api.rotateIdentitySecret(id));
  const { enabled } = await ok(api.getIdentitySecret(id));
  mustBe(secret !== '' && enabled, 'a secret');
  await ok(api.deleteIdentitySecret(id));
}

async function socialChannel(
  api: Api,
  id: string,
  { accessToken, writeToAccount }: { accessToken: string; writeToAccount(): Promise<unknown> },
): Promise<void> {
  await ok(api.connectSocialChannel(id, { accessToken }));
  const { connected } = await ok(api.getSocialConnection(id));
  mustBe(connected, 'a connection');
  const automation = await ok(api.createAutomation(id, { type: 'comment_to_dm', name: 'Prices' }));
  const { data } = await ok(api.listAutomations(id, { status: 'draft' }));
  mustBe(data.length === 1, 'one draft');
  const live = { status: 'live', postScope: 'any', message: 'Here they are' } as const;
  await ok(api.updateAutomation(id, automation.id, live));
  const { status } = await ok(api.getAutomation(id, automation.id));
  mustBe(status === 'live', 'a live automation');
  await ok(api.deleteAutomation(id, automation.id));
  await ok(api.updatePersistentMenu(id, { items: [{ title: 'Hours', message: 'When are you open?' }] }));
  const menu = await ok(api.getPersistentMenu(id));
  await ok(api.updateConversationStarters(id, { items: [{ question: 'Where are you?' }] }));
  const starters = await ok(api.getConversationStarters(id));
  mustBe(menu.live?.items.length === 1 && starters.live?.items.length === 1, 'a menu and starters');
  await writeToAccount();
  const conversationId = await socialConversation(api, id);
  const sent = await ok(api.sendSocialMessage(id, conversationId, { text: 'Hello, this is Ada.' }));
  mustBe(sent.kind === 'human', 'a message of a person');
  const state = await ok(api.getSocialConversation(id, conversationId));
  mustBe(state.paused && state.pausedUntil !== null, 'a conversation is paused');
  const { paused } = await ok(api.updateSocialConversation(id, conversationId, { paused: false }));
  const deliveries = await ok(api.listSocialDeliveries(id));
  mustBe(!paused && deliveries.pagination.total > 0, 'a delivery');
  const written = await ok(api.writeMessage(id, conversationId, { text: 'Ada again.' }));
  mustBe(written.deliveryId !== undefined, 'a message is queued');
  const inbox = await ok(api.listInbox({ state: 'human' }));
  mustBe(inbox.data[0]?.conversation.id === conversationId, 'the conversation is in the inbox');
  await followBriefly(api);
  const quiet = await api.followConversation(id, conversationId, { wait: 1 });
  mustBe(quiet.status === 204, 'nothing is new');
  await ok(api.reportTyping(id, conversationId));
  const back = await ok(api.updateConversation(id, conversationId, { state: 'agent' }));
  mustBe(back.state === 'agent', 'the agent answers again');
  await ok(api.deleteSocialConversation(id, conversationId));
  await ok(api.disconnectSocialChannel(id));
}

/** Reads the first event of the inbox: the id to resume from. The stream has no end of its own. */
async function followBriefly(api: Api): Promise<void> {
  const stop = new AbortController();
  let event = '';
  const firstEvent: typeof fetch = async (url, init) => {
    const response = await (client.defaults.fetch ?? fetch)(url, init);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    while (reader && !event.includes('\n\n')) {
      const { done, value = '' } = await reader.read();
      if (done) break;
      event += value;
    }
    stop.abort();
    return new Response(event, response);
  };
  const { status } = await api.followInbox({}, { signal: stop.signal, fetch: firstEvent });
  mustBe(status === 200 && /^id: \d+$/m.test(event), 'an event with an id');
}

/** Waits for the conversation of the first message. */
async function socialConversation(api: Api, id: string): Promise<string> {
  for (;;) {
    const { data } = await ok(api.exportConversations(id, { source: 'social' }));
    if (data[0]) return data[0].id;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function webhooks(api: Api, url: string): Promise<void> {
  const { id, secret } = await ok(api.createWebhook({ url, events: ['job.failed'] }));
  const rotated = await ok(api.rotateWebhookSecret(id));
  mustBe(rotated.secret !== secret, 'another secret');
  await ok(api.updateWebhook(id, { description: 'Ours' }));
  const { description } = await ok(api.getWebhook(id));
  const { data } = await ok(api.listWebhooks());
  mustBe(description === 'Ours' && data.length === 1, 'one webhook');
  const delivery = await ok(api.testWebhook(id));
  mustBe(delivery.event === 'webhook.test', 'a test message');
  await ok(api.listWebhookDeliveries(id, { limit: 1 }));
  await ok(api.redeliverWebhook(id, delivery.id));
  await ok(api.deleteWebhook(id));
}

function mustBe(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`expected: ${what}`);
}
