import { Injectable, Logger } from '@nestjs/common';
import { createHash, type Hash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { ObjectMissing } from '../files/archive-store.errors';
import {
  type ArchiveStore,
  ArchiveStores,
  type ByteRange,
  type ReadOptions,
} from '../files/archive-store.port';
import {
  type EncryptedHeader,
  HEADER_BYTES,
  NotDecryptable,
  readHeader,
  SALT_BYTES,
} from '../passphrases/encrypted-file';
import { decryptAuthenticated, decryptUnauthenticated, openEncrypted } from '../passphrases/encrypted-stream';
import { MailUndecryptable, MailsEncrypted } from '../passphrases/encryption.errors';
import type { MailKeys } from '../passphrases/mail-keys';
import { PassphrasesService } from '../passphrases/passphrases.service';
import { ArchivedMailsRepository } from './archived-mails.repository';

/** The part of a mail's row needed to read its bytes. */
export interface LocatedMail {
  readonly id: string;
  readonly accountId: string;
  readonly storage: string;
  readonly storageKey: string;
  /** Size of the message in bytes, encrypted or not. */
  readonly sizeBytes: number;
  /** SHA-256 of the stored file, 64 hex digits. */
  readonly sha256: string;
  readonly isEncrypted: boolean;
}

export type ReadMailOptions = Pick<ReadOptions, 'signal' | 'room'>;

/** Encrypted mails up to this size are decrypted in memory; larger ones are read twice. */
const DECRYPT_WHOLE = 1024 * 1024;

/**
 * The one way to the plain bytes of an archived mail, encrypted or not. When a mail is encrypted or moved between the
 * reading of its row and of its file, its row is read once more, so that ciphertext is never taken for a message.
 */
@Injectable()
export class MailContentReader {
  private readonly logger = new Logger(MailContentReader.name);

  constructor(
    private readonly stores: ArchiveStores,
    private readonly mails: ArchivedMailsRepository,
    private readonly passphrases: PassphrasesService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * The keys of a mail, for a request that may carry a passphrase: null for a plain mail, whose passphrase is not even
   * looked at. A wrong passphrase takes as long as a right one.
   * @throws MailsEncrypted without a passphrase; EncryptionNotConfigured, PassphraseInvalid, TooManyRequests
   */
  async unlock(
    userId: string,
    mail: LocatedMail,
    passphrase: string | null,
    signal?: AbortSignal,
  ): Promise<MailKeys | null> {
    if (!mail.isEncrypted) return null;
    if (passphrase === null) throw new MailsEncrypted();
    const keys = await this.passphrases.unlock(userId, passphrase, await this.saltOf(mail, signal));
    const { id, accountId } = mail;
    await this.audit.record({ action: 'mail.decrypted', userId, accountId, target: { type: 'mail', id } });
    return keys;
  }

  /**
   * The whole message, at most as many bytes as its row says.
   * @param keys null when no passphrase was given
   * @param options.room asked for when the file is on this machine, see `ReadOptions`
   * @throws the signal's reason, MailsEncrypted when it takes a passphrase, MailUndecryptable, ObjectMissing
   */
  read(mail: LocatedMail, keys: MailKeys | null, options: ReadMailOptions = {}): Promise<Buffer> {
    const { signal, room } = options;
    const reading = { signal, room: room && runOnce(room) };
    return this.retryWithCurrentRow(mail, async (current) => {
      const store = await this.stores.find(current.storage);
      if (current.isEncrypted) return readDecrypted(store, current, requireKeys(keys), reading);
      return store.read(current.storageKey, { ...reading, atMost: current.sizeBytes });
    });
  }

  /**
   * The message, or a part of it, as a stream in constant memory. Of a file that is longer than its row says, one byte
   * more is read, so that the caller notices. An encrypted mail is authenticated as a whole before its first byte is
   * handed out.
   * @throws the errors of `read`
   */
  open(
    mail: LocatedMail,
    keys: MailKeys | null,
    range?: ByteRange,
    options: ReadMailOptions = {},
  ): Promise<Readable> {
    return this.retryWithCurrentRow(mail, async (current) => {
      const store = await this.stores.find(current.storage);
      const { sizeBytes } = current;
      if (!current.isEncrypted) {
        return store.get(current.storageKey, range ?? { start: 0, end: sizeBytes }, options);
      }
      const whole = range ?? { start: 0, end: Math.max(sizeBytes, 1) - 1 };
      return openDecrypted(store, current, requireKeys(keys), whole, options);
    });
  }

  /** The salt in a mail's file, or a random one if that cannot be read: the passphrase is checked first. */
  private async saltOf(mail: LocatedMail, signal: AbortSignal | undefined): Promise<Buffer> {
    try {
      const store = await this.stores.find(mail.storage);
      const header = { start: 0, end: HEADER_BYTES - 1 };
      const start = await collect(await store.get(mail.storageKey, header, { signal }));
      return readHeader(start).salt;
    } catch (error) {
      if (error instanceof ObjectMissing || error instanceof NotDecryptable) return randomBytes(SALT_BYTES);
      throw error;
    }
  }

  /** Retries with the current row when the file is not the one the given row describes and the row has changed. */
  private async retryWithCurrentRow<T>(
    mail: LocatedMail,
    work: (mail: LocatedMail) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(mail);
    } catch (error) {
      if (!(error instanceof ObjectMissing || error instanceof NotDecryptable)) throw error;
      const current = await this.mails.findOwned(mail.accountId, mail.id);
      if (!current || isSamePlace(mail, current)) throw this.explainFailure(mail, error);
      try {
        return await work(current);
      } catch (again) {
        throw this.explainFailure(mail, again);
      }
    }
  }

  private explainFailure(mail: LocatedMail, error: unknown): unknown {
    if (!(error instanceof NotDecryptable)) return error;
    this.logger.error(`The encrypted file of archived mail ${mail.id} is altered or belongs to another mail`);
    return new MailUndecryptable(error);
  }
}

/** One reading of the file: the message is handed out only once it has been authenticated. */
async function readDecrypted(
  store: ArchiveStore,
  mail: LocatedMail,
  keys: MailKeys,
  options: ReadMailOptions,
): Promise<Buffer> {
  let message: Buffer | null = null;
  let length = 0;
  await authenticate(store, mail, keys, options, (chunk) => {
    message ??= Buffer.allocUnsafe(mail.sizeBytes);
    chunk.copy(message, length);
    length += chunk.length;
  });
  return message ?? Buffer.alloc(0);
}

async function openDecrypted(
  store: ArchiveStore,
  mail: LocatedMail,
  keys: MailKeys,
  { start, end }: ByteRange,
  options: ReadMailOptions,
): Promise<Readable> {
  const { signal } = options;
  if (mail.sizeBytes <= DECRYPT_WHOLE) {
    const message = await readDecrypted(store, mail, keys, { signal });
    return Readable.from([message.subarray(start, end + 1)], { objectMode: false });
  }
  const { header, key } = await authenticate(store, mail, keys, { signal }, () => {});
  // A storage key never gets other bytes, so the bytes authenticated are the bytes read now.
  const range = { start: HEADER_BYTES + start, end: HEADER_BYTES + end };
  const source = await store.get(mail.storageKey, range, options);
  const plain = decryptAuthenticated(header, key, source, start);
  // A generator that was never read does not close its source by itself.
  return Readable.from(plain, { objectMode: false }).once('close', () => source.destroy());
}

/**
 * Reads the whole file once. The tag proves that it was written with the passphrase; only the hash in the row
 * proves that it is the file of this mail.
 * @param take is given chunks of the message, to be trusted only once this has returned
 * @throws NotDecryptable
 */
async function authenticate(
  store: ArchiveStore,
  mail: LocatedMail,
  keys: MailKeys,
  options: ReadMailOptions,
  take: (chunk: Buffer) => void,
): Promise<{ header: EncryptedHeader; key: Buffer }> {
  const hash = createHash('sha256');
  // Up to one byte too many, so that a longer file is noticed without being read.
  const whole = { start: 0, end: HEADER_BYTES + mail.sizeBytes };
  const source = await store.get(mail.storageKey, whole, options);
  try {
    const file = await openEncrypted(hashChunks(source, hash));
    const key = await keys.deriveKey(file.header.salt);
    for await (const chunk of decryptUnauthenticated(file, key)) take(chunk);
    if (hash.digest('hex') !== mail.sha256) throw new NotDecryptable('it is not the file of this mail.');
    return { header: file.header, key };
  } finally {
    // A source that was not read to its end, e.g. for lack of a key, stays open otherwise.
    source.destroy();
  }
}

async function* hashChunks(
  source: AsyncIterable<Buffer>,
  hash: Hash,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}

/** A file that is read again, by its current row, is read into the same memory. */
function runOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

function requireKeys(keys: MailKeys | null): MailKeys {
  if (!keys) throw new MailsEncrypted();
  return keys;
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const isSamePlace = (one: LocatedMail, other: LocatedMail): boolean =>
  one.storage === other.storage &&
  one.storageKey === other.storageKey &&
  one.isEncrypted === other.isEncrypted;
