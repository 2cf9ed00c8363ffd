import { createHash } from 'node:crypto';
import { ObjectMissing } from '../files/archive-store.errors';
import { exportSteps } from './export-steps';
import type { ExportThreads } from './export-threads';
import { MailAltered, MailEncryptedMeanwhile } from './export.errors';
import {
  type Absence,
  isAsArchived,
  type MailContent,
  openContent,
  type ReadMail,
  type UnreadMail,
} from './exported-mail';
import { fromLine, MboxQuoter } from './mbox-format';
import type { MboxPart } from './mbox-mails';

/**
 * Mails as an mbox in mboxrd form (RFC 4155 with the quoting of qmail's mbox(5)), in pieces of any size.
 * @throws ObjectMissing, MailAltered, MailEncryptedMeanwhile: an mbox cannot mark a message as missing or altered, and
 *   no file is better than a wrong one. A large mail is known to be altered only once it has been written.
 */
export async function* mboxOf(
  batches: AsyncIterable<readonly MailContent[]>,
  threads: Pick<ExportThreads, 'mbox'>,
): AsyncGenerator<readonly Buffer[]> {
  const make = async (mails: readonly ReadMail[]): Promise<MboxPart & { alteredId: string | null }> => {
    const part = await threads.mbox(
      mails.map(({ content }) => content),
      // The message of an encrypted mail has been verified by decryption.
      mails.map(({ mail: { sender, date, sha256, isEncrypted } }) => ({
        sender,
        date,
        sha256: isEncrypted ? null : sha256,
      })),
    );
    return { ...part, alteredId: part.altered === null ? null : mails[part.altered]!.mail.id };
  };
  for await (const step of exportSteps(batches, make)) {
    if ('single' in step) {
      yield* streamEntry(step.single);
      continue;
    }
    if (step.part.pieces.length > 0) yield step.part.pieces;
    if (step.part.alteredId !== null) throw new MailAltered(step.part.alteredId);
  }
}

async function* streamEntry(unread: UnreadMail): AsyncGenerator<readonly Buffer[]> {
  const { mail } = unread;
  const content = await openContent(unread);
  if (typeof content === 'string') throw absenceOf(content, mail.id);
  const hash = createHash('sha256');
  try {
    yield [Buffer.from(fromLine(mail))];
    const quoter = new MboxQuoter();
    for await (const chunk of content) {
      hash.update(chunk as Buffer);
      yield [quoter.write(chunk as Buffer)];
    }
    if (!isAsArchived(mail, hash.digest('hex'))) throw new MailAltered(mail.id);
    yield [quoter.end()];
  } finally {
    content.destroy();
  }
}

function absenceOf(absence: Absence, id: string): Error {
  if (absence === 'altered') return new MailAltered(id);
  return absence === 'encrypted' ? new MailEncryptedMeanwhile(id) : new ObjectMissing();
}
