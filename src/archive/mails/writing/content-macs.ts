import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../platform/crypto/secret-box';
import type { ArchiveParse } from '../archiving/parse-message.task';

/**
 * Says of two mails of an account whether their content is the same, also when they are encrypted: made with a key
 * derived from `ENCRYPTION_KEY`, so that nobody who has only the database can try contents out. A change of
 * `contentHash` or of the key makes all of them worthless: set `content_mac` to null then, and files are read again.
 */
@Injectable()
export class ContentMacs {
  constructor(private readonly secrets: SecretBox) {}

  of(accountId: string, { contentSha256 }: Pick<ArchiveParse, 'contentSha256'>): string {
    return this.secrets.fingerprint(`${accountId}:${contentSha256}`, 'mail-content');
  }
}
