import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../platform/crypto/secret-box';
import type { ArchiveParse } from '../archiving/parse-message.task';

/**
 * Tells whether the content of two mails of an account is the same, also when they are encrypted. The MACs are made with a
 * key derived from `ENCRYPTION_KEY`, so that a reader of the database alone cannot guess contents by trial. A change of
 * `contentHash` or of the key makes all of them worthless: set `content_mac` to null then, and files are read again.
 */
@Injectable()
export class ContentMacs {
  constructor(private readonly secrets: SecretBox) {}

  of(accountId: string, { contentSha256 }: Pick<ArchiveParse, 'contentSha256'>): string {
    return this.secrets.fingerprint(`${accountId}:${contentSha256}`, 'mail-content');
  }
}
