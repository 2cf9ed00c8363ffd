import {
  type CallOptions,
  type MailboxProvider,
  MailboxProviders,
} from '../../../../src/providers/port/mailbox-provider.port';
import { ProviderUnavailable } from '../../../../src/providers/port/mail-provider.errors';
import { MessageIndexService } from '../../../../src/mailbox/index/message-index.service';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { ACCESS_RIGHTS } from '../../../support/imap/dovecot-layouts';
import { TestImapServer } from '../../../support/imap/imap-server';
import { labelsOf, listedIds } from '../../../support/imap/listed-messages';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import type { TestUser } from '../../../support/test-user';

const interactive: CallOptions = { priority: 'interactive' };

/** Folders that their owner may read only, beside those that can be changed. */
describe('A change that an IMAP server refuses in one folder', () => {
  let sut: TestApp;
  let user: TestUser;
  let server: TestImapServer;
  let accountId: string;
  let mailbox: MailboxProvider;
  let free: string;
  let fixed: string;

  beforeAll(async () => {
    sut = await startTestApp();
  });
  afterAll(() => sut?.close());
  afterEach(() => server.stop());

  /** @param inInbox number of the message that can be changed @param inFixed of the one that cannot */
  const begin = async (inInbox: number, inFixed: number): Promise<void> => {
    server = await TestImapServer.start({ layout: ACCESS_RIGHTS });
    await server.append('INBOX', [{ raw: plainMail(inInbox), receivedAt: arrivalOf(inInbox) }]);
    await server.append('Fixed', [{ raw: plainMail(inFixed), receivedAt: arrivalOf(inFixed) }]);
    server.restrict('Fixed', 'lr');
    user = await sut.user();
    accountId = await connectImap(sut, user, server);
    mailbox = sut.app
      .get(MailboxProviders)
      .forAccount({ id: accountId, userId: user.id, email: server.user, provider: 'imap' });
    [free = ''] = await listedIds(mailbox, `subject:"Message ${inInbox}"`);
    [fixed = ''] = await listedIds(mailbox, `subject:"Message ${inFixed}"`);
  };

  const post = async (path: string, body: object): Promise<any> => {
    const started = await user.api.post(path, body);
    expect(started.status).toBe(202);
    return user.jobEnd(started.body.jobId as string);
  };
  const bulk = (action: string): Promise<any> =>
    post(`/api/mailbox/${accountId}/messages/bulk`, { action, messageIds: [free, fixed] });
  const folderLabel = async (): Promise<string> =>
    (await mailbox.listLabels(interactive)).find(({ name }) => name === 'Fixed')!.id;

  // Folders are changed in the order of their messages' ids: in one of the two the refusal comes first.
  describe.each([
    [1, 2],
    [2, 1],
  ])('with message %i in another folder, and message %i in that one', (inInbox, inFixed) => {
    beforeEach(() => begin(inInbox, inFixed));

    it('should be reported for flags, while others are changed, counted and undone', async () => {
      const job = await bulk('mark_read');
      expect(job).toMatchObject({
        status: 'completed',
        result: {
          changed: 1,
          alreadyDone: 0,
          refused: 1,
          failures: [
            {
              item: fixed,
              code: 'provider-rejected',
              reason: expect.stringContaining('does not keep the flag'),
            },
          ],
        },
      });
      expect(await labelsOf(mailbox, free)).toEqual(['INBOX']);
      expect(await labelsOf(mailbox, fixed)).toEqual([await folderLabel(), 'UNREAD'].sort());
      expect(await post(`/api/jobs/${job.id}/undo`, {})).toMatchObject({ result: { restored: 1 } });
      expect(await labelsOf(mailbox, free)).toEqual(['INBOX', 'UNREAD']);
    });

    it('should be reported for moves, while others are moved, counted and undone', async () => {
      const job = await bulk('trash');
      expect(job).toMatchObject({ status: 'completed', result: { changed: 1, refused: 1 } });
      expect(await labelsOf(mailbox, free)).toEqual(['TRASH', 'UNREAD']);
      expect(await labelsOf(mailbox, fixed)).toEqual([await folderLabel(), 'UNREAD'].sort());
      expect(await post(`/api/jobs/${job.id}/undo`, {})).toMatchObject({ result: { restored: 1 } });
      expect(await labelsOf(mailbox, free)).toEqual(['INBOX', 'UNREAD']);
    });
  });

  describe('when the sync after a change fails', () => {
    beforeEach(() => begin(1, 2));

    const failLooks = (): jest.SpyInstance =>
      jest
        .spyOn(sut.app.get(MessageIndexService), 'followFrom')
        .mockImplementation(() => Promise.reject(new ProviderUnavailable()));

    it.each(['archive', 'mark_read'])(
      'should not report that %s changed nothing, and undo it',
      async (action) => {
        const before = await labelsOf(mailbox, free);
        const looks = failLooks();
        const job = await post(`/api/mailbox/${accountId}/messages/bulk`, { action, messageIds: [free] });
        looks.mockRestore();
        expect(job).toMatchObject({ status: 'failed', result: { changed: 0, unknown: 1 } });
        expect(await labelsOf(mailbox, free)).not.toEqual(before);
        expect((await user.api.get(`/api/jobs/${job.id}/undo`)).body).toMatchObject({
          undoable: true,
          messages: 1,
        });
        expect(await post(`/api/jobs/${job.id}/undo`, {})).toMatchObject({
          status: 'completed',
          result: { restored: 1 },
        });
        expect(await labelsOf(mailbox, free)).toEqual(before);
      },
    );

    it('should be resolved when the job continues', async () => {
      const looks = failLooks();
      const job = await post(`/api/mailbox/${accountId}/messages/bulk`, {
        action: 'archive',
        messageIds: [free],
      });
      looks.mockRestore();
      expect((await user.api.post(`/api/jobs/${job.id}/resume`, {})).status).toBe(202);
      const resumed = await user.jobEnd(job.id as string);
      expect(resumed).toMatchObject({ status: 'completed', result: { changed: 1 } });
      expect(resumed.result).not.toHaveProperty('unknown');
      expect(await post(`/api/jobs/${job.id}/undo`, {})).toMatchObject({ result: { restored: 1 } });
    });
  });
});
