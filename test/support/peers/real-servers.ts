import { CourierServer } from '../imap/courier-server';
import { CyrusServer } from '../imap/cyrus-server';
import {
  ACCESS_RIGHTS,
  MAILDIR_PLUS_PLUS,
  MBOX,
  QUOTA,
  VIRTUAL_FOLDERS,
  type DovecotLayout,
} from '../imap/dovecot-layouts';
import { TestImapServer } from '../imap/imap-server';
import type { ImapTestServer } from '../imap/imap-test-server';

/** A kind of server as people run it. */
export interface RealServer {
  readonly name: string;
  readonly start: () => Promise<ImapTestServer>;
}

const dovecot = (name: string, layout: DovecotLayout): RealServer => ({
  name: `Dovecot, ${name}`,
  start: () => TestImapServer.start({ layout }),
});

/** Servers and set-ups that differ from plain Dovecot in what they list, keep or allow. */
export const REAL_SERVERS: readonly RealServer[] = [
  { name: 'Cyrus', start: () => CyrusServer.start() },
  { name: 'Cyrus, alternative namespace', start: () => CyrusServer.start('alternative') },
  { name: 'Courier', start: () => CourierServer.start() },
  dovecot('Maildir++ below INBOX.', MAILDIR_PLUS_PLUS),
  dovecot('mbox', MBOX),
  dovecot('virtual folders', VIRTUAL_FOLDERS),
  dovecot('access rights', ACCESS_RIGHTS),
  dovecot('quota', QUOTA),
];
