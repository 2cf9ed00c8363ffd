import { KeptMailbox, message } from '../../../support/archiving/kept-mailbox';
import type { TestApp } from '../../../support/app';
import { sha256 } from '../../../support/archive/archive-fixture';
import { startJournal } from '../../../support/journal/journal-fixture';
import { SmtpClient } from '../../../support/journal/smtp-client';
import type { TestUser } from '../../../support/test-user';

/** A mailbox under continuous archiving, whose mail is also copied by SMTP: one mail for each message, and it is covered. */
describe('Copied mail and coverage', () => {
  let app: TestApp;
  let user: TestUser;
  let port: number;
  let mailboxes = 0;

  beforeAll(async () => {
    ({ app, user, port } = await startJournal());
  });
  afterAll(() => app?.close());

  const start = async (): Promise<{ box: KeptMailbox; copy: (raw: Buffer) => Promise<void> }> => {
    const email = `covered${(mailboxes += 1)}-1@sandbox.mailroom.test`;
    const box = await KeptMailbox.connect(app, user, email);
    await box.keep();
    await box.lookUntilDone();
    const { body } = await user.api.put(`/api/journal/${box.accountId}`);
    const copy = async (raw: Buffer): Promise<void> => {
      const client = await SmtpClient.open(port);
      expect((await client.send('alice@example.com', [body.address as string], raw)).code).toBe(250);
      client.destroy();
    };
    return { box, copy };
  };

  /** The message as the mailbox gets it: by another way than its copy, with another Received field. */
  const delivered = (raw: Buffer): Buffer =>
    Buffer.concat([Buffer.from('Received: from x by y; Sun, 1 Mar 2026 08:00:02 +0000\r\n'), raw]);
  const coverageOf = async ({ accountId }: KeptMailbox): Promise<any> =>
    (await user.api.get(`/api/coverage/${accountId}`)).body;
  const mailsOf = async (box: KeptMailbox, subject: string): Promise<any[]> =>
    (await user.api.get(`${box.path}/mails?limit=100`)).body.mails.filter(
      (mail: { subject: string }) => mail.subject === subject,
    );
  const verdictOn = async ({ accountId }: KeptMailbox, id: string): Promise<any> => {
    const { body } = await user.api.post(`/api/coverage/${accountId}/deletable`, { messageIds: [id] });
    return body.messages[0];
  };

  it('should count a message as covered whose copy came by SMTP first', async () => {
    const { box, copy } = await start();
    const raw = message('copied-first');
    await copy(raw);
    // A copy alone is no message of the mailbox.
    expect(await coverageOf(box)).toMatchObject({ exact: true, total: 1 });
    const id = box.mailbox.insert(delivered(raw), { labelIds: ['INBOX'], internalDate: new Date() });
    await box.lookUntilDone();
    expect(await coverageOf(box)).toMatchObject({ exact: true, total: 2, pending: 0, failed: 0 });
    const mails = await mailsOf(box, 'copied-first');
    expect(mails).toHaveLength(1);
    const { body: mail } = await user.api.get(`${box.path}/mails/${mails[0].id}`);
    expect(mail).toMatchObject({ sha256: sha256(delivered(raw)), envelope: { sender: 'alice@example.com' } });
    expect((await box.classes())[id]).toBe('archived');
    // Only the next check of the copies is missing.
    expect(await verdictOn(box, id)).toMatchObject({ reasons: ['not-verified'] });
    expect(await box.problems()).toEqual([]);
  });

  it('should keep a message covered whose copy comes by SMTP afterwards', async () => {
    const { box, copy } = await start();
    const raw = message('copied-afterwards');
    const id = box.mailbox.insert(delivered(raw), { labelIds: ['INBOX'], internalDate: new Date() });
    await box.lookUntilDone();
    await copy(raw);
    const mails = await mailsOf(box, 'copied-afterwards');
    expect(mails).toHaveLength(1);
    const { body: mail } = await user.api.get(`${box.path}/mails/${mails[0].id}`);
    expect(mail).toMatchObject({ sha256: sha256(delivered(raw)), envelope: { sender: 'alice@example.com' } });
    await box.lookUntilDone();
    expect(await coverageOf(box)).toMatchObject({ exact: true, total: 2, pending: 0, failed: 0 });
    expect((await box.classes())[id]).toBe('archived');
    // Only the next check of the copies is missing.
    expect(await verdictOn(box, id)).toMatchObject({ reasons: ['not-verified'] });
    expect(await box.problems()).toEqual([]);
  });
});
