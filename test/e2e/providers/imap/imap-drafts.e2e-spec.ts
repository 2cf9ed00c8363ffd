import { DataSource } from 'typeorm';
import { DraftsWithIdsOfOthers1763700000088 } from '../../../../migrations/1763700000088-drafts-with-ids-of-others';
import { MessageNotFound } from '../../../../src/providers/port/mail-provider.errors';
import { MESSAGE_ID } from '../../../../src/mailbox/messages/dto/messages.dto';
import { startTestApp, type TestApp } from '../../../support/app';
import { FickleAccount } from '../../../support/imap/fickle-account';
import { arrived, type FickleFolder } from '../../../support/imap/fickle-mailbox';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';

/** Drafts of one size with different texts. */
const draft = (number: number): Buffer => arrived(plainMail(number), arrivalOf(number));

describe('Drafts on an IMAP server', () => {
  let sut: TestApp;
  let account: FickleAccount;

  beforeAll(async () => {
    sut = await startTestApp();
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    account = await FickleAccount.connect(sut);
    drafts().add(draft(1));
    await account.look();
  });

  const drafts = (): FickleFolder => account.mailbox.folder('Drafts');
  const idAt = async (uid: number): Promise<string | undefined> =>
    (await account.at('Drafts', uid))[0]?.messageId;
  /** Another draft gets the UID of the first, and nothing shows it: UIDVALIDITY and UIDNEXT are those of before. */
  const replace = (raw: Buffer): void => {
    drafts().messages.set(1, raw);
    drafts().modseq += 1;
  };
  const tell = async (): Promise<[string, string][]> =>
    (await account.told()).map(({ kind, messageId }) => [kind, messageId]);
  /** Gives the first draft the id that earlier versions gave it. */
  const nameAsBefore = async (): Promise<{ id: string; earlier: string }> => {
    const id = (await idAt(1))!;
    const earlier = id.split('.').slice(0, 4).join('.');
    for (const table of ['imap_places', 'imap_messages'])
      await sut.app
        .get(DataSource)
        .query(`UPDATE ${table} SET message_id = $3 WHERE account_id = $1 AND message_id = $2`, [
          account.account.id,
          id,
          earlier,
        ]);
    return { id, earlier };
  };
  const distrust = (): Promise<unknown> =>
    sut.app
      .get(DataSource)
      .query(`UPDATE imap_folders SET uid_validity = 0, modseq = NULL WHERE account_id = $1`, [
        account.account.id,
      ]);

  it('should have ids that identify the draft, and that every route accepts', async () => {
    const id = await idAt(1);
    expect(id).toMatch(/^d\.[\w-]{8}\.7\.1\.[\w-]{16}$/);
    expect(id).toMatch(MESSAGE_ID);
    expect((await account.read(id!)).bytes.equals(draft(1))).toBe(true);
  });

  it('should not be expunged when another draft of the same size has its UID', async () => {
    const id = (await idAt(1))!;
    const other = draft(2);
    expect(other).toHaveLength(draft(1).length);
    replace(other);
    await expect(account.delete(id)).rejects.toMatchObject({ code: 'provider-unavailable' });
    await account.look();
    await account.delete(id);
    expect([...drafts().messages.values()]).toEqual([other]);
    expect((await tell()).filter(([kind]) => kind === 'deleted')).toEqual([['deleted', id]]);
  });

  it('should get a new id, and be reported as added, when it has the UID of another draft', async () => {
    const id = (await idAt(1))!;
    const other = draft(2);
    replace(other);
    await expect(account.read(id)).rejects.toBeInstanceOf(MessageNotFound);
    const newId = (await idAt(1))!;
    expect(newId).not.toBe(id);
    expect((await account.read(newId)).bytes.equals(other)).toBe(true);
    expect((await tell()).toSorted()).toEqual([
      ['added', newId],
      ['deleted', id],
    ]);
  });

  it('should be distinguished by their times of arrival when their headers are the same', async () => {
    const id = (await idAt(1))!;
    replace(arrived(plainMail(1), arrivalOf(2)));
    await expect(account.delete(id)).rejects.toMatchObject({ code: 'provider-unavailable' });
    expect(drafts().messages.size).toBe(1);
  });

  describe('with an id of an earlier version', () => {
    it('should keep it when the folder is read again, and not be archived twice', async () => {
      const { earlier } = await nameAsBefore();
      await distrust();
      await account.look();
      expect(await idAt(1)).toBe(earlier);
      expect(await tell()).toEqual([]);
      expect((await account.read(earlier)).bytes.equals(draft(1))).toBe(true);
      await account.delete(earlier);
      expect(drafts().messages.size).toBe(0);
    });

    it('should not be expunged when another draft of the same size has its UID', async () => {
      const { earlier } = await nameAsBefore();
      replace(draft(2));
      await expect(account.delete(earlier)).rejects.toMatchObject({ code: 'provider-unavailable' });
      await account.look();
      await account.delete(earlier);
      expect(drafts().messages.size).toBe(1);
    });

    it('should be read again after the upgrade when it had been assigned to another draft', async () => {
      const { earlier } = await nameAsBefore();
      // As an earlier version left it: the place is of the new draft, and what is known of the message is of the first.
      const other = draft(2);
      replace(other);
      await sut.app
        .get(DataSource)
        .query(`UPDATE imap_places SET internal_date = $2 WHERE account_id = $1`, [
          account.account.id,
          arrivalOf(2),
        ]);
      const runner = sut.app.get(DataSource).createQueryRunner();
      try {
        await new DraftsWithIdsOfOthers1763700000088().up(runner);
      } finally {
        await runner.release();
      }
      await account.look();
      await account.look();
      const newId = (await idAt(1))!;
      expect(newId).not.toBe(earlier);
      expect((await account.read(newId)).bytes.equals(other)).toBe(true);
      expect((await tell()).toSorted()).toEqual([
        ['added', newId],
        ['deleted', earlier],
      ]);
    });

    it('should be reported as gone, and the other draft as known, when another one has its UID', async () => {
      const { earlier } = await nameAsBefore();
      const other = draft(2);
      replace(other);
      await expect(account.read(earlier)).rejects.toBeInstanceOf(MessageNotFound);
      const newId = (await idAt(1))!;
      expect(newId).toMatch(/^d\.[\w-]{8}\.7\.1\.[\w-]{16}$/);
      expect((await account.read(newId)).bytes.equals(other)).toBe(true);
      expect((await tell()).toSorted()).toEqual([
        ['added', newId],
        ['deleted', earlier],
      ]);
    });
  });
});
