import type { JournalFormat } from '../../../src/archive/journal/journal-format';
import { JournalListener } from '../../../src/archive/journal/smtp/journal-listener';
import { startTestApp, type TestApp } from '../app';
import { ArchiveFixture } from '../archive/archive-fixture';
import type { TestUser } from '../test-user';

/** Settings with which a test application listens for copied mail. */
export const JOURNAL_ENV: Readonly<Record<string, string>> = {
  SMTP_JOURNAL_PORT: '0',
  SMTP_JOURNAL_DOMAIN: 'archive.test',
  SMTP_JOURNAL_ALLOWED_NETWORKS: '127.0.0.0/8,::1',
};

/** The port on which an application listens for copied mail. */
export const journalPort = (app: Pick<TestApp, 'get'>): number => app.get(JournalListener).port!;

let mailboxes = 0;

/** An application that listens for copied mail, with a user. Close the application after the tests. */
export async function startJournal(): Promise<{ app: TestApp; user: TestUser; port: number }> {
  const app = await startTestApp({ sandbox: { messages: 1 }, env: JOURNAL_ENV });
  const user = await app.user();
  await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  return { app, user, port: journalPort(app) };
}

/** A mailbox without messages, and the address for its copied mail. */
export async function journalled(
  app: TestApp,
  user: TestUser,
  format?: JournalFormat,
): Promise<{ archive: ArchiveFixture; path: string; address: string }> {
  const archive = await ArchiveFixture.connect(
    app,
    user,
    `journal${(mailboxes += 1)}-0@sandbox.mailroom.test`,
  );
  const path = `/api/journal/${archive.accountId}`;
  const { status, body } = await user.api.put(path, format === undefined ? undefined : { format });
  if (status !== 200) throw new Error(`PUT ${path} answered ${status}`);
  return { archive, path, address: body.address as string };
}

/** A short message with CRLF line ends. */
export const letter = (subject: string, ...body: string[]): Buffer =>
  Buffer.from(
    [
      'From: Alice <alice@example.com>',
      'To: Bob <bob@example.com>',
      `Subject: ${subject}`,
      'Date: Sun, 1 Mar 2026 08:00:00 +0000',
      `Message-ID: <${subject.replaceAll(/\W+/g, '-')}@example.com>`,
      '',
      ...(body.length > 0 ? body : ['Hello']),
      '',
    ].join('\r\n'),
  );

/** A journal report of Exchange around a message. */
export const exchangeReport = (message: Buffer, fields: readonly string[]): Buffer =>
  Buffer.concat([
    Buffer.from(
      [
        'From: <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.com>',
        'To: <journal@example.com>',
        'Subject: a report',
        'Message-ID: <report-1@journal.report.generator>',
        'X-MS-Journal-Report:',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary="_report_"',
        '',
        '--_report_',
        'Content-Type: text/plain; charset="us-ascii"',
        'Content-Transfer-Encoding: 7bit',
        '',
        ...fields,
        '',
        '--_report_',
        'Content-Type: message/rfc822',
        '',
        '',
      ].join('\r\n'),
    ),
    message,
    Buffer.from('\r\n--_report_--\r\n'),
  ]);
