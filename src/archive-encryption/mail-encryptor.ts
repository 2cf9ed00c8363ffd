import { Injectable } from '@nestjs/common';
import { joined } from '../common/workers/joined-buffers';
import { WorkerPool } from '../common/workers/worker-pool';
import { type ArchiveStore, ArchiveStores } from '../archive-storage/archive-store.port';
import type { MailsEncrypted, MailsToEncrypt } from './encrypt-mails.task';
import { MAIL_ALTERED } from './encrypt-mails.task';
import { LargeMail } from './large-mail';
import { DamagedMail, MailCipher, PlainMail, PreparedMails, ReadyMail } from './mail-to-encrypt';
import { readPlainMails } from './plain-mail-reader';

/** Mails of this size and more are encrypted as streams, alone in their batch. */
export const LARGE_MAIL_BYTES = 8 * 1024 * 1024;

const ENCRYPTOR = { module: require.resolve('./encrypt-mails.task'), name: 'encryptMails' };

/** Reads mails, verifies and encrypts them. Writes nothing. */
@Injectable()
export class MailEncryptor {
  constructor(
    private readonly stores: ArchiveStores,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * Prepares several small mails, or one large one.
   * @throws ArchiveStoreUnknown, ArchiveStoreUnavailable, ArchiveStoreRefused; the signal's reason
   */
  async prepare(
    userId: string,
    mails: readonly PlainMail[],
    cipher: MailCipher,
    signal: AbortSignal,
  ): Promise<PreparedMails> {
    const ready: ReadyMail[] = [];
    const damaged: DamagedMail[] = [];
    for (const storage of new Set(mails.map((mail) => mail.storage))) {
      const store = await this.stores.named(storage, userId);
      const stored = mails.filter((mail) => mail.storage === storage);
      const large = stored.filter(({ sizeBytes }) => sizeBytes >= LARGE_MAIL_BYTES);
      const small = stored.filter(({ sizeBytes }) => sizeBytes < LARGE_MAIL_BYTES);
      for (const plain of large) {
        const mail = await LargeMail.examine(plain, store, cipher, signal);
        if (mail instanceof LargeMail) ready.push(mail);
        else damaged.push({ plain, ...mail });
      }
      if (small.length === 0) continue;
      const together = await this.prepareSmall(store, small, cipher, signal);
      ready.push(...together.ready);
      damaged.push(...together.damaged);
    }
    return { ready, damaged };
  }

  private async prepareSmall(
    store: ArchiveStore,
    mails: readonly PlainMail[],
    { key, salt }: MailCipher,
    signal: AbortSignal,
  ): Promise<PreparedMails> {
    const { read, damaged } = await readPlainMails(store, mails, signal);
    const bytes = joined(read.map((mail) => mail.bytes));
    const task: MailsToEncrypt = {
      bytes,
      lengths: read.map((mail) => mail.bytes.length),
      sha256s: read.map(({ plain }) => plain.sha256),
      key,
      salt,
    };
    const encrypted = await this.workers.run<MailsToEncrypt, MailsEncrypted>(ENCRYPTOR, task, {
      transfer: [bytes],
    });
    const ready: ReadyMail[] = [];
    const altered: DamagedMail[] = [];
    let end = 0;
    for (const [position, { plain }] of read.entries()) {
      const length = encrypted.lengths[position]!;
      if (length === MAIL_ALTERED) {
        altered.push({ plain, problem: 'archived-file-altered' });
        continue;
      }
      end += length;
      ready.push(
        smallMail(
          plain,
          store,
          Buffer.from(encrypted.bytes, end - length, length),
          encrypted.sha256s[position]!,
        ),
      );
    }
    return { ready, damaged: [...damaged, ...altered] };
  }
}

function smallMail(plain: PlainMail, store: ArchiveStore, file: Buffer, sha256: string): ReadyMail {
  return {
    plain,
    store,
    write: async (storageKey, signal) => {
      await store.put(storageKey, file, { signal });
      return sha256;
    },
  };
}
