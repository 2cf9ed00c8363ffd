import Piscina from 'piscina';
import { joinBuffers } from '../../platform/workers/joined-buffers';
import { mboxMails, type MboxPart, type MboxSource } from './mbox-mails';

/** The bytes of mails, and the facts that the part needs about each. */
export interface MailsToExport {
  /** The mails one after another. */
  readonly bytes: ArrayBuffer;
  readonly lengths: readonly number[];
  readonly sources: readonly MboxSource[];
}

/** A part of an mbox whose pieces are joined. */
export type JoinedPart = Omit<MboxPart, 'pieces'> & { readonly bytes: ArrayBuffer };

/** Worker-thread entry: makes a part of an mbox. */
export function mboxPart({ bytes, lengths, sources }: MailsToExport): unknown {
  let end = 0;
  const mails = lengths.map((length) => Buffer.from(bytes, (end += length) - length, length));
  const { pieces, ...facts } = mboxMails(mails, sources);
  const part: JoinedPart = { ...facts, bytes: joinBuffers(pieces) };
  return Piscina.move({
    [Piscina.transferableSymbol]: [part.bytes],
    [Piscina.valueSymbol]: part,
  } as unknown as ArrayBuffer);
}
