import type { Schemas } from '@mailroom/sdk';

/** Of what shows something of a mail. */
export interface OfMail {
  readonly accountId: string;
  readonly mail: Schemas['MailResponse'];
}
