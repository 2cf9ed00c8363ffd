import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { MessageBudget } from '../../../archive/mails/archiving/message-budget';
import type { ArchivedCopy } from '../../../archive/mails/holds/archived-copies';
import { MailContentReader } from '../../../archive/mails/mail-content-reader';
import type { StoredMail } from '../../../archive/mails/stored-mails';
import { ObjectMissing } from '../../../archive/files/archive-store.errors';
import { forEachConcurrently } from '../../../platform/concurrency/for-each-concurrently';
import { MailUndecryptable } from '../../../archive/passphrases/encryption.errors';
import type { MailKeys } from '../../../archive/passphrases/mail-keys';
import { type CheckedCopy, CopyCheck } from '../../integrity/copy-check';
import type { ProviderUnavailable } from '../../../providers/port/mail-provider.errors';
import { fetchRaw } from '../../../providers/port/fetch-raw';
import type { MailboxProvider } from '../../../providers/port/mailbox-provider.port';
import { type BlockReason, needsPassphrase } from '../block-reasons';
import type { Blocking, MovableItem } from '../plans/offload-items.repository';
import type { OffloadMode } from '../receipts/receipt';
import type { PlanOwner } from '../plans/offload-plan';

const CONCURRENT_DECRYPTIONS = 2;

/** A message and its copy, which is held: neither deleted nor replaced meanwhile. */
export interface HeldItem {
  readonly item: MovableItem;
  readonly copy: ArchivedCopy;
}

export interface VerifiedBatch {
  /** Items whose copies are whole, with the file that was read. */
  readonly whole: readonly HeldItem[];
  /** Positions of items that were compared with the provider this time. */
  readonly compared: readonly number[];
  readonly blocked: readonly Blocking[];
  /** Reason why some items could not be compared now; they can be later. */
  readonly unavailable: ProviderUnavailable | null;
}

export interface VerifyOptions {
  readonly mode: OffloadMode;
  /** Keys of encrypted copies; null: no passphrase was given. */
  readonly keys: MailKeys | null;
  readonly provider: MailboxProvider;
  readonly signal: AbortSignal;
}

/** Verifies that the archive has what the mailbox has: reads the file of each copy, and compares it. It changes nothing. */
@Injectable()
export class BatchVerifier {
  constructor(
    private readonly copies: CopyCheck,
    private readonly contents: MailContentReader,
    private readonly budget: MessageBudget,
  ) {}

  /** @throws StoreFailure when a store cannot be read; the provider taxonomy */
  async verify(owner: PlanOwner, held: readonly HeldItem[], options: VerifyOptions): Promise<VerifiedBatch> {
    const { mode, keys, signal } = options;
    // Each file and each fetch adds several listeners to the signal.
    setMaxListeners(0, signal);
    const blocked: Blocking[] = [];
    const readable = held.filter(({ item, copy }) => {
      if (keys || !needsPassphrase(copy, mode)) return true;
      blocked.push({ position: item.position, reason: 'copy-encrypted' });
      return false;
    });
    const files = await this.copies.check(
      owner,
      readable.map(({ copy }) => copy.mailId),
      signal,
    );
    let whole: HeldItem[] = [];
    const encrypted: (HeldItem & { readonly mail: StoredMail })[] = [];
    for (const { item, copy } of readable) {
      const file = files.get(copy.mailId);
      const problem = problemOf(item, copy, file);
      if (problem) blocked.push({ position: item.position, reason: problem });
      else {
        // The mail was encrypted after it was held: it has another file of the same message.
        const now = { ...copy, ...identityOf(file!.mail) };
        if (!now.isEncrypted || !keys) whole.push({ item, copy: now });
        else encrypted.push({ item, copy: now, mail: file!.mail });
      }
    }
    if (keys) {
      await forEachConcurrently(encrypted, CONCURRENT_DECRYPTIONS, async ({ item, copy, mail }) => {
        const problem = await this.problemOfContent(item, mail, keys, signal);
        if (problem) blocked.push({ position: item.position, reason: problem });
        else whole.push({ item, copy });
      });
    }
    if (mode === 'fast') return { whole, compared: [], blocked, unavailable: null };
    const stillNeeding = whole.filter(({ copy }) => copy.isEncrypted && !keys);
    for (const { item } of stillNeeding) blocked.push({ position: item.position, reason: 'copy-encrypted' });
    whole = whole.filter((each) => !stillNeeding.includes(each));
    return this.compareAll(owner, whole, blocked, options);
  }

  /**
   * Decrypts a copy and checks that its content is the message of the plan. @returns the reason that blocks the message; null:
   * none
   */
  private async problemOfContent(
    item: MovableItem,
    mail: StoredMail,
    keys: MailKeys,
    signal: AbortSignal,
  ): Promise<BlockReason | null> {
    const hash = createHash('sha256');
    try {
      for await (const chunk of await this.contents.open(mail, keys, undefined, { signal }))
        hash.update(chunk as Buffer);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ObjectMissing) return 'copy-missing';
      if (error instanceof MailUndecryptable) return 'copy-altered';
      throw error;
    }
    return hash.digest('hex') === item.sha256 ? null : 'copy-altered';
  }

  /**
   * Fetches messages that have not been compared yet, and compares the SHA-256 of the bytes in each of their places with the
   * copy.
   */
  private async compareAll(
    { userId }: PlanOwner,
    candidates: readonly HeldItem[],
    blocked: Blocking[],
    { provider, signal }: VerifyOptions,
  ): Promise<VerifiedBatch> {
    const whole = candidates.filter(({ item }) => item.isCompared);
    const compared: number[] = [];
    let unavailable: ProviderUnavailable | null = null;
    const held = this.budget.open(userId, signal);
    try {
      const left = candidates.filter(({ item }) => !item.isCompared);
      await forEachConcurrently(left, provider.rawsAtOnce, async (each) => {
        const { messageId, position, sizeBytes, sha256 } = each.item;
        await held.reserve(messageId, sizeBytes);
        try {
          const fetched = await fetchRaw(provider, messageId, {
            signal,
            expectedBytes: sizeBytes,
            everyPlace: true,
          });
          if (fetched.kind === 'later') unavailable = fetched.error;
          else if (fetched.kind === 'failed')
            blocked.push({ position, reason: fetched.reason === 'message-not-found' ? 'gone' : 'refused' });
          else {
            // All places of a message go to the trash: none of them may hold other bytes.
            const { bytes, others = [] } = fetched.message;
            const found = [bytes, ...others].map((each) => createHash('sha256').update(each).digest('hex'));
            const different = found.find((hash) => hash !== sha256);
            if (different !== undefined)
              blocked.push({ position, reason: 'provider-differs', providerSha256: different });
            else {
              compared.push(position);
              whole.push(each);
            }
          }
        } finally {
          held.release(messageId);
        }
      });
    } finally {
      held.close();
    }
    return { whole, compared, blocked, unavailable };
  }
}

/** Location and expected hash of the file of a mail. */
export type FileIdentity = Pick<ArchivedCopy, 'storage' | 'storageKey' | 'fileSha256' | 'isEncrypted'>;

const identityOf = ({ storage, storageKey, sha256, isEncrypted }: StoredMail): FileIdentity => ({
  storage,
  storageKey,
  fileSha256: sha256,
  isEncrypted,
});

export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  one.storage === other.storage &&
  one.storageKey === other.storageKey &&
  one.fileSha256 === other.fileSha256 &&
  one.isEncrypted === other.isEncrypted;

function problemOf(item: MovableItem, copy: ArchivedCopy, file: CheckedCopy | undefined): BlockReason | null {
  if (!file) return 'not-archived';
  if (file.problem) return file.problem === 'missing' ? 'copy-missing' : 'copy-altered';
  const { mail } = file;
  if (mail.messageId !== item.messageId || mail.sizeBytes !== item.sizeBytes) return 'changed-since-plan';
  // The file of a plain mail is the message; that of an encrypted mail was made from it.
  if (!mail.isEncrypted && mail.sha256 !== item.sha256) return 'changed-since-plan';
  return mail.isEncrypted && copy.contentSha256 !== item.sha256 ? 'content-unknown' : null;
}
