import type { JobsService } from '../jobs/jobs.service';
import type { MailboxAccountsService } from '../mailbox/mailbox-accounts.service';
import { ArchivedMailEntity } from './archived-mail.entity';
import type { MailContentReader } from './mail-content-reader';
import type { ArchivedMailsRepository } from './archived-mails.repository';
import { ArchivedMailsService } from './archived-mails.service';
import type { MailListsRepository } from './mail-lists.repository';

const MIB = 1024 * 1024;

describe('ArchivedMailsService', () => {
  /** @returns how many mails of a size are read at a time when twelve are asked for */
  async function readAtATime(sizeBytes: number): Promise<number> {
    let reading = 0;
    let most = 0;
    const bytes: Pick<MailContentReader, 'read'> = {
      read: async () => {
        most = Math.max(most, (reading += 1));
        await new Promise((resolve) => setTimeout(resolve, 5));
        reading -= 1;
        return Buffer.from('Subject: x\r\n\r\n');
      },
    };
    const mails: Pick<ArchivedMailsRepository, 'findOwned' | 'attachmentsOf'> = {
      findOwned: async (accountId, id) =>
        Object.assign(new ArchivedMailEntity(), { id, accountId, sizeBytes, isEncrypted: false }),
      attachmentsOf: async () => [],
    };
    const sut = new ArchivedMailsService(
      mails as ArchivedMailsRepository,
      {} as MailListsRepository,
      bytes as MailContentReader,
      {} as MailboxAccountsService,
      {} as JobsService,
    );
    const read = await Promise.all(
      Array.from({ length: 12 }, (_, number) => sut.read('account', `m${number}`)),
    );
    expect(read.every(({ emlContent }) => emlContent === 'Subject: x\r\n\r\n')).toBe(true);
    return most;
  }

  it.each([
    [25 * MIB, 1],
    [10 * MIB, 3],
    [100_000, 12],
  ])('should read mails of %i bytes %i at a time', async (sizeBytes, expected) => {
    expect(await readAtATime(sizeBytes)).toBe(expected);
  });
});
