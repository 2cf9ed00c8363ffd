import { GatewayTimings } from '../../../../src/providers/gateway/retry-policy';
import { LabelNotFound, OutcomeUnknown } from '../../../../src/providers/port/mail-provider.errors';
import {
  type CallOptions,
  type MailboxProvider,
  MailboxProviders,
} from '../../../../src/providers/port/mailbox-provider.port';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { TestImapServer } from '../../../support/imap/imap-server';
import { InterceptingProxy } from '../../../support/imap/intercepting-proxy';
import { labelsOf, listedIds } from '../../../support/imap/listed-messages';
import { plainMail } from '../../../support/imap/plain-mail';
import type { TestUser } from '../../../support/test-user';

const spare: CallOptions = { priority: 'spare' };

describe('A message added to an IMAP server', () => {
  let sut: TestApp;
  let server: TestImapServer;
  let proxy: InterceptingProxy;
  let user: TestUser;
  let mailbox: MailboxProvider;

  beforeAll(async () => {
    sut = await startTestApp();
    sut.tune(GatewayTimings, { firstBackoffMs: 1, firstConcurrencyBackoffMs: 1 });
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    server = await TestImapServer.start();
    proxy = await InterceptingProxy.before(server.port);
    user = await sut.user();
    const { port, certificate } = proxy;
    const accountId = await connectImap(sut, user, server, { port, certificate: certificate.cert });
    mailbox = sut.app
      .get(MailboxProviders)
      .forAccount({ id: accountId, userId: user.id, email: server.user, provider: 'imap' });
    await listedIds(mailbox);
  });
  afterEach(async () => {
    await proxy.close();
    await server.stop();
  });

  const appends = (): number => proxy.said.filter((command) => command.startsWith('APPEND')).length;
  const countIn = (folder: string): Promise<number> =>
    server.session(async (client) => (await client.status(folder, { messages: true })).messages ?? 0);
  /** Answers the first matching command after the APPEND. */
  const onceAfterAppend = (pattern: RegExp, answer: () => Promise<string | undefined>): void => {
    let isOver = false;
    proxy.intercept = (command) => {
      if (isOver || appends() === 0 || !pattern.test(command)) return undefined;
      isOver = true;
      return answer();
    };
  };

  it.each([
    ['NO [LIMIT] Too many commands', /^SELECT/],
    ['NO [THROTTLED] Slow down', /^UID FETCH/],
    ['NO [UNAVAILABLE] Try again', /^SELECT/],
    ['NO [SERVERBUG] Sorry', /^UID COPY/],
    ['NO [LIMIT] Too many commands', /^UID COPY/],
  ])('should exist once when a later command is answered by %s: %s', async (answer, pattern) => {
    const { id: work } = await mailbox.createLabel('Work', spare);
    const { id: trips } = await mailbox.createLabel('Trips', spare);
    onceAfterAppend(pattern, () => Promise.resolve(answer));
    const added = await mailbox.insert({ bytes: plainMail(1), labelIds: [work, trips] }, spare);
    expect({ appends: appends(), work: await countIn('Work'), trips: await countIn('Trips') }).toEqual({
      appends: 1,
      work: 1,
      trips: 1,
    });
    expect(await labelsOf(mailbox, added.id)).toEqual([trips, work].sort());
    expect(added.lacksLabels).toBe(false);
  });

  it('should exist once when the server throttles permanently after it has accepted the message', async () => {
    proxy.intercept = (command) =>
      appends() > 0 && command.startsWith('SELECT') ? 'NO [LIMIT] Too many commands' : undefined;
    const failure = mailbox.insert({ bytes: plainMail(1), labelIds: ['INBOX'] }, spare);
    await expect(failure).rejects.toBeInstanceOf(OutcomeUnknown);
    await expect(failure).rejects.toMatchObject({ wasAccepted: true });
    expect({ appends: appends(), inbox: await countIn('INBOX') }).toEqual({ appends: 1, inbox: 1 });
  });

  it('should be reported to lack a label whose folder was deleted after it was added', async () => {
    const { id: work } = await mailbox.createLabel('Work', spare);
    const { id: trips } = await mailbox.createLabel('Trips', spare);
    onceAfterAppend(/^(?:SELECT|UID COPY)/, async () => {
      await server.session((client) => client.mailboxDelete('Trips'));
      return undefined;
    });
    const added = await mailbox.insert({ bytes: plainMail(1), labelIds: [work, trips] }, spare);
    expect(added.lacksLabels).toBe(true);
    expect({ appends: appends(), work: await countIn('Work') }).toEqual({ appends: 1, work: 1 });
  });

  it('should not be added when its folder has been deleted', async () => {
    const { id: work } = await mailbox.createLabel('Work', spare);
    proxy.intercept = (command) =>
      command.startsWith('APPEND') ? 'NO [TRYCREATE] There is no such folder' : undefined;
    const failure = mailbox.insert({ bytes: plainMail(1), labelIds: [work] }, spare);
    await expect(failure).rejects.toBeInstanceOf(LabelNotFound);
    expect({ appends: appends(), work: await countIn('Work') }).toEqual({ appends: 1, work: 0 });
  });

  it('should not be sent once its caller has lost its lease', async () => {
    const fence = jest.fn(() => {
      // The commands before the APPEND have taken too long.
      if (fence.mock.calls.length > 1) throw new Error('Another process has it');
    });
    const failure = mailbox.insert({ bytes: plainMail(1), labelIds: ['INBOX'] }, { ...spare, fence });
    await expect(failure).rejects.toThrow('Another process has it');
    expect(appends()).toBe(0);
  });

  it('should not be sent once the lease was lost while its folder was examined', async () => {
    const before = proxy.said.length;
    const looks = (): string[] => proxy.said.slice(before).filter((command) => /^SELECT/.test(command));
    const fence = (): void => {
      if (looks().length > 0) throw new Error('Another process has it');
    };
    const failure = mailbox.insert(
      { bytes: plainMail(1), labelIds: ['INBOX'], keywords: ['Todo'] },
      { ...spare, fence },
    );
    await expect(failure).rejects.toThrow('Another process has it');
    expect(looks()).toHaveLength(1);
    expect(appends()).toBe(0);
  });

  it('should keep its keywords where the folder supports them', async () => {
    const { id } = await mailbox.insert(
      { bytes: plainMail(1), labelIds: ['INBOX'], keywords: ['$Label1', 'Todo'] },
      spare,
    );
    const flags = await server.session(async (client) => {
      await client.mailboxOpen('INBOX');
      const found = await client.fetchOne('1', { flags: true });
      return found ? [...found.flags!] : [];
    });
    expect(flags).toEqual(expect.arrayContaining(['\\Seen', '$Label1', 'Todo']));
    expect(await listedIds(mailbox)).toEqual([id]);
  });

  it('should have the given date, whatever its header says', async () => {
    const date = new Date('2019-09-08T18:26:40Z');
    const { id } = await mailbox.insert({ bytes: plainMail(1), labelIds: ['INBOX'], date }, spare);
    expect((await mailbox.fetchRaw(id, spare)).internalDate).toEqual(date);
  });
});
