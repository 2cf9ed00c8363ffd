import type { Schemas } from '@mailroom/sdk';

/** Props of views of one mail. */
export interface OfMail {
  readonly accountId: string;
  readonly mail: Schemas['MailResponse'];
}
