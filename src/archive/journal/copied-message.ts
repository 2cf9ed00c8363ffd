import { createHash } from 'node:crypto';
import type { ImportedMessage } from '../imports/import-writer';
import type { MailEnvelope } from '../mails/mail-envelope';
import { uniteAddresses } from '../mails/mail-envelope';
import type { CopiedHeader } from './copied-header';
import { readCopiedHeader } from './copied-header';
import { MessageRefused } from './refusal';
import type { UnwrappedReport } from './report/journal-report';

/** Hops after which a message is taken to go round in a loop, as other mail servers count (RFC 5321, 6.3). */
const MAX_HOPS = 50;

/** Facts about a message that SMTP states. */
export interface SmtpFacts {
  /** The reverse path; null: the message has none, as bounces and reports. */
  readonly sender: string | null;
  /** When it arrived. */
  readonly arrivedAt: Date;
}

/** A copied message as it goes into the archive. */
export interface CopiedMessage {
  readonly imported: ImportedMessage;
  /** Equal for messages that may be the same: these are never archived in one batch, so that the second finds the first. */
  readonly identity: string;
}

/**
 * Prepares a copied message for the archive. Its bytes stay as they are.
 * @param unwrap unwraps a journal report, whose answer is null when it cannot; none: reports are not expected, so what looks
 * like one is a message like any other
 * @throws MessageRefused when it goes round in a loop
 */
export async function readCopiedMessage(
  raw: Buffer,
  facts: SmtpFacts,
  unwrap: ((raw: Buffer) => Promise<UnwrappedReport | null>) | null,
): Promise<CopiedMessage> {
  const header = readCopiedHeader(raw);
  if (header.hops > MAX_HOPS) throw new MessageRefused('loop');
  if (!unwrap || !header.isReport)
    return copiedMessage(raw, header, facts, plainEnvelope('message', header, facts));
  const report = await unwrap(raw);
  if (!report) return copiedMessage(raw, header, facts, plainEnvelope('unreadable-report', header, facts));
  return copiedMessage(report.message, readCopiedHeader(report.message), facts, report.envelope);
}

const plainEnvelope = (
  kind: MailEnvelope['kind'],
  { recipients }: CopiedHeader,
  { sender }: SmtpFacts,
): MailEnvelope => ({ kind, sender, to: [], cc: [], bcc: [], recipients: uniteAddresses(recipients) });

function copiedMessage(
  raw: Buffer,
  { messageId }: CopiedHeader,
  { arrivedAt }: SmtpFacts,
  envelope: MailEnvelope,
): CopiedMessage {
  return {
    imported: {
      raw,
      name: messageId ?? 'a message without a Message-ID',
      labelIds: [],
      threadId: null,
      receivedAt: null,
      internalDate: arrivedAt,
      envelope,
    },
    identity: messageId ?? createHash('sha256').update(raw).digest('hex'),
  };
}
