import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ImportThreads, type ThreadedMessage } from '../threading/import-threads.port';

/** A conversation is named by the message it began with: the first reference, else the message itself. */
@Injectable()
export class RootReferenceThreads implements ImportThreads {
  assign(_accountId: string, messages: readonly ThreadedMessage[]): Promise<string[]> {
    return Promise.resolve(messages.map(threadOf));
  }

  archived(): Promise<void> {
    return Promise.resolve();
  }
}

function threadOf({ messageId, inReplyTo, references, subject, sender, date }: ThreadedMessage): string {
  const root = /<[^<>\s]+>/.exec(`${references ?? ''} ${inReplyTo ?? ''} ${messageId ?? ''}`)?.[0];
  const name = root ?? `${sender}\n${subject}\n${date.toISOString()}`;
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}
