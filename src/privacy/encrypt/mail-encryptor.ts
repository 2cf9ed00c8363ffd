import { Injectable } from '@nestjs/common';
import { joinBuffers } from '../../platform/workers/joined-buffers';
import { WorkerPool } from '../../platform/workers/worker-pool';
import { isDamage } from '../../archive/files/archive-store.errors';
import { type ArchiveStore, ArchiveStores } from '../../archive/files/archive-store.port';
import type { MailsEncrypted, MailsToEncrypt } from './encrypt-mails.task';
import { MAIL_MISSING } from './encrypt-mails.task';
import { LargeMail } from './large-mail';
import { DamagedMail, MailCipher, PlainMail, PreparedMails, ReadyMail } from './mail-to-encrypt';
import { readPlainMails } from './plain-mail-reader';

/** Size from which mails are encrypted as streams, alone in their batch. */
export const LARGE_MAIL_BYTES = 8 * 1024 * 1024;

const ENCRYPTOR = { module: require.resolve('./encrypt-mails.task'), name: 'encryptMails' };

/** Reads mails, verifies and encrypts them, without writing files. */
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
      const store = await this.stores.find(storage, userId);
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
    cipher: MailCipher,
    signal: AbortSignal,
  ): Promise<PreparedMails> {
    if (store.pathOf) {
      const paths = mails.map(({ storageKey }) => store.pathOf!(storageKey));
      const sizes = mails.map(({ sizeBytes }) => sizeBytes);
      try {
        return await this.encrypt(store, mails, { paths, sizes }, cipher);
      } catch (error) {
        // One file cannot be read: reading each file alone tells which.
        if (!isDamage(error)) throw error;
      }
    }
    const { read, damaged } = await readPlainMails(store, mails, signal);
    const bytes = joinBuffers(read.map((mail) => mail.bytes));
    const lengths = read.map((mail) => mail.bytes.length);
    const plain = read.map((mail) => mail.plain);
    const encrypted = await this.encrypt(store, plain, { bytes, lengths }, cipher);
    return { ready: encrypted.ready, damaged: [...damaged, ...encrypted.damaged] };
  }

  private async encrypt(
    store: ArchiveStore,
    mails: readonly PlainMail[],
    input: MailsToEncrypt['mails'],
    { key, salt }: MailCipher,
  ): Promise<PreparedMails> {
    const task: MailsToEncrypt = { mails: input, sha256s: mails.map(({ sha256 }) => sha256), key, salt };
    const { bytes, lengths, sha256s } = await this.workers.run<MailsToEncrypt, MailsEncrypted>(
      ENCRYPTOR,
      task,
      { transfer: 'bytes' in input ? [input.bytes] : [] },
    );
    const ready: ReadyMail[] = [];
    const damaged: DamagedMail[] = [];
    let end = 0;
    for (const [position, plain] of mails.entries()) {
      const length = lengths[position]!;
      if (length < 0) {
        const problem = length === MAIL_MISSING ? 'archived-file-missing' : 'archived-file-altered';
        damaged.push({ plain, problem });
        continue;
      }
      end += length;
      ready.push({
        plain,
        store,
        file: Buffer.from(bytes, end - length, length),
        sha256: sha256s[position]!,
      });
    }
    return { ready, damaged };
  }
}
