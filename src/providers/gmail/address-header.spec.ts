import { senderOf } from '../../mailbox/index/message-columns';
import { decodeAddressWords } from './message-decoder';

describe('decodeAddressWords', () => {
  it.each<[string, string]>([
    ['André <a@b.test>', '=?iso-8859-1?Q?Andr=E9?= <a@b.test>'],
    ['"André" <a@b.test>', '"=?iso-8859-1?Q?Andr=E9?=" <a@b.test>'],
    ['Zoë B <a@b.test>', '=?utf-8?B?Wm/Dqw==?= =?utf-8?Q?_B?= <a@b.test>'],
    ['"Doe, John" <a@b.test>', '=?utf-8?Q?Doe=2C_John?= <a@b.test>'],
    ['"Doe, \\"J\\"" <a@b.test>', '"=?utf-8?Q?Doe=2C_=22J=22?=" <a@b.test>'],
    ['x@y.test (a \\) b), c@d.test', 'x@y.test (=?utf-8?Q?a_=29_b?=), c@d.test'],
    ['Jo <jo@b.test>', '=?utf-8?Q?Jo_=3Cjo=40b.test=3E?='],
    ['"open <a@b.test>', '"open <a@b.test>'],
    ['', ''],
  ])('should turn into %j: %j', (expected, field) => {
    expect(decodeAddressWords(field)).toBe(expected);
  });

  it.each([
    '=?utf-8?Q?boss=40corp.test=2C_x?=',
    '=?utf-8?Q?Boss_=3Cboss=40corp.test=3E?=',
    '"=?utf-8?Q?Boss=22_=3Cboss=40corp.test=3E=2C?="',
    '=?utf-8?B?Ym9zc0Bjb3JwLnRlc3Qs?=\r\n =?utf-8?B?IHg=?=',
    '(=?utf-8?Q?=29_boss=40corp.test=2C?=)',
    '=?utf-8?Q?Group:?=',
    '=?utf-8?Q?Offers_(today?=',
    '=?utf-8?Q?5=22_screens?=',
    'Boss =?utf-8?Q?=3Cboss=40corp.test=3E?=',
  ])('should keep the sender’s address whatever the name %j contains', (name) => {
    expect(senderOf(decodeAddressWords(`${name} <sender@shop.test>`)).email).toBe('sender@shop.test');
  });

  it('should take linear time', () => {
    const since = performance.now();
    for (const text of ['"\\', '(\\', '=?a?q?', '=?a', '"('].map((part) => part.repeat(5_000))) {
      decodeAddressWords(text);
    }
    expect(performance.now() - since).toBeLessThan(200);
  });
});
