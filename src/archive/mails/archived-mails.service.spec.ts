import { ArchivedMailEntity } from './archived-mail.entity';
import type { ContainedPartReader } from './contained-part-reader';
import type { MailContentReader } from './mail-content-reader';
import type { ArchivedMailsRepository } from './archived-mails.repository';
import { ArchivedMailsService } from './archived-mails.service';
import type { MailPresenceRepository } from './mail-presence.repository';
import type { IndexGapsRepository } from './index-ledger/index-gaps.repository';
import type { MailListsRepository } from './mail-lists.repository';

const MIB = 1024 * 1024;

describe('ArchivedMailsService', () => {
  /** @returns how many mails of a size are in memory at a time when twelve are asked for */
  async function readAtATime(sizeBytes: number, users: number): Promise<number> {
    let reading = 0;
    let most = 0;
    const bytes: Pick<MailContentReader, 'read'> = {
      read: async (_mail, _keys, { room } = {}) => {
        await room?.();
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
      {} as IndexGapsRepository,
      { findPresences: async () => new Map() } as unknown as MailPresenceRepository,
      bytes as MailContentReader,
      {} as ContainedPartReader,
    );
    const read = await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        sut.read(`user${number % users}`, 'account', `m${number}`, new AbortController().signal),
      ),
    );
    expect(read.every(({ emlContent }) => emlContent === 'Subject: x\r\n\r\n')).toBe(true);
    return most;
  }

  it.each([
    [25 * MIB, 12, 1],
    [10 * MIB, 12, 3],
    [10 * MIB, 1, 1],
    [5 * MIB, 1, 3],
    [100_000, 1, 12],
  ])(
    'should hold mails of %i bytes in memory for %i users, %i at a time',
    async (sizeBytes, users, expected) => {
      expect(await readAtATime(sizeBytes, users)).toBe(expected);
    },
  );
});
