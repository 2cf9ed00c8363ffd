import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/crypto/secret-box';
import type { ArchiveParse } from '../archiving/parse-message.task';

/** To be changed with `contentHash`: what was made before is made again. */
const PURPOSE = 'mail-content-1';
const CHECK_LENGTH = 8;

/**
 * Says of two mails of an account whether their content is the same, also when they are encrypted: made with a key
 * derived from `ENCRYPTION_KEY`, so that nobody who has only the database can try contents out.
 */
@Injectable()
export class ContentMacs {
  /** Begins everything made with this key and for this purpose; with another one, nothing can be compared. */
  readonly check: string;

  constructor(private readonly secrets: SecretBox) {
    this.check = secrets.fingerprint('', PURPOSE).slice(0, CHECK_LENGTH);
  }

  of(accountId: string, { contentSha256 }: Pick<ArchiveParse, 'contentSha256'>): string {
    return `${this.check}.${this.secrets.fingerprint(`${accountId}:${contentSha256}`, PURPOSE)}`;
  }
}
