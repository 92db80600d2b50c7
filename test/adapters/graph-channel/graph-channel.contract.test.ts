import { graphChannel } from '../../../adapters/graph-channel/index.js';
import type { ChannelFailureCode } from '../../../core/errors/channel-failures.js';
import { describeChannelContract } from '../../contracts/channel.contract.js';
import { signed, startFakePlatform } from '../../support/fake-platform.js';
import t from '../../support/t.js';

const ACCOUNT = '17841400';
const PERSON = '9001';

/** An error of the platform for each code. */
const upstream: Partial<Record<ChannelFailureCode, { code: number; subcode?: number; status?: number }>> = {
  TOKEN_INVALID: { code: 190, status: 401 },
  PERMISSION_MISSING: { code: 200, status: 403 },
  WINDOW_CLOSED: { code: 10, subcode: 2534022 },
  RATE_LIMITED: { code: 613 },
  BLOCKED: { code: 368 },
  RECIPIENT_UNAVAILABLE: { code: 551 },
  INVALID_CONTENT: { code: 100 },
};

/** Tokens of both kinds of login: of the account itself, and of a page that is linked to it. */
const logins = {
  account: { node: ACCOUNT, options: {} },
  page: { node: '555', options: { accountField: 'linked_account' } },
};

const stageOf = async ({ node, options }: (typeof logins)['account' | 'page']) => {
  const platform = await startFakePlatform();
  const { token } = platform.account(ACCOUNT, { node });
  const { appSecret, verifyToken } = platform.options;
  return {
    plugin: graphChannel,
    options: { ...platform.options, ...options },
    close: () => platform.close(),
    stage: {
      token,
      accountId: ACCOUNT,
      personId: PERSON,
      subscription: {
        'hub.mode': 'subscribe',
        'hub.verify_token': verifyToken,
        'hub.challenge': '1158201444',
      },
      signedMessage(text: string) {
        const messageId = 'mid.$abc';
        const raw = Buffer.from(
          JSON.stringify(platform.event.message(ACCOUNT, PERSON, text, { mid: messageId })),
        );
        return { headers: signed(raw, appSecret), raw, messageId };
      },
      failNext(how: { code: ChannelFailureCode } | 'unclear') {
        if (how === 'unclear') platform.fail(/messages$/, { does: 'cut', after: true });
        else platform.fail(/messages$/, { does: 'refuse', ...upstream[how.code] });
      },
      received: () => platform.received(ACCOUNT, PERSON),
      comment() {
        const event = platform.event.comment(ACCOUNT, PERSON, '17900', 'Price?') as {
          entry: [{ changes: [{ value: { id: string } }] }];
        };
        return event.entry[0].changes[0].value.id;
      },
    },
  };
};

for (const [login, given] of Object.entries(logins))
  t.test(`a token of the ${login}`, async (t) => describeChannelContract(t, () => stageOf(given)));
