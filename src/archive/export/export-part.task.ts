import Piscina from 'piscina';
import { joinBuffers } from '../../platform/workers/joined-buffers';
import { mboxMails, type MboxPart, type MboxSource } from './mbox-mails';
import { zipMails, type ZipPart } from './zip-mails';
import type { ZipEntryStart } from './zip-format';

/** The bytes of mails, and the facts that the part needs about each. */
export interface MailsToExport<T> {
  /** The mails one after another. */
  readonly bytes: ArrayBuffer;
  readonly lengths: readonly number[];
  readonly sources: readonly T[];
}

/** A part of an export whose pieces are joined. */
export type JoinedPart<P extends { readonly pieces: readonly Buffer[] }> = Omit<P, 'pieces'> & {
  readonly bytes: ArrayBuffer;
};

/** Worker-thread entry: makes a part of a ZIP. */
export function zipPart(input: MailsToExport<ZipEntryStart>): unknown {
  const { pieces, ...facts } = zipMails(mailsOf(input), input.sources);
  return transfer<ZipPart>({ ...facts, bytes: joinBuffers(pieces) });
}

/** Worker-thread entry: makes a part of an mbox. */
export function mboxPart(input: MailsToExport<MboxSource>): unknown {
  const { pieces, ...facts } = mboxMails(mailsOf(input), input.sources);
  return transfer<MboxPart>({ ...facts, bytes: joinBuffers(pieces) });
}

function mailsOf({ bytes, lengths }: MailsToExport<unknown>): Buffer[] {
  let end = 0;
  return lengths.map((length) => Buffer.from(bytes, (end += length) - length, length));
}

function transfer<P extends { readonly pieces: readonly Buffer[] }>(part: JoinedPart<P>): unknown {
  return Piscina.move({
    [Piscina.transferableSymbol]: [part.bytes],
    [Piscina.valueSymbol]: part,
  } as unknown as ArrayBuffer);
}
