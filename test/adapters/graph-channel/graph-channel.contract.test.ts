import t from 'tap';
import { graphChannel } from '../../../adapters/graph-channel/index.js';
import type { ChannelFailureCode } from '../../../core/errors/channel-failures.js';
import { describeChannelContract } from '../../contracts/channel.contract.js';
import { signed, startFakePlatform } from '../../support/fake-platform.js';

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

describeChannelContract(t, async () => {
  const platform = await startFakePlatform();
  const { token } = platform.account(ACCOUNT);
  const { appSecret, verifyToken } = platform.options;
  return {
    plugin: graphChannel,
    options: platform.options,
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
      signedMessage(text) {
        const messageId = 'mid.$abc';
        const raw = Buffer.from(
          JSON.stringify(platform.event.message(ACCOUNT, PERSON, text, { mid: messageId })),
        );
        return { headers: signed(raw, appSecret), raw, messageId };
      },
      failNext(how) {
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
});
