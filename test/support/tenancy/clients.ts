import type { ApiAnswer } from '../api-client';
import { inMbox, upload } from '../imports';
import type { Attacker } from './attack';
import type { TestUser } from '../test-user';

export const PASSPHRASE = 'correct horse battery staple';

/** @throws with what was answered, unless it is a success */
export function succeeded(what: string, answer: ApiAnswer): any {
  if (answer.status < 200 || answer.status > 299)
    throw new Error(`${what} answered ${answer.status}: ${answer.bytes.toString().slice(0, 300)}`);
  return answer.body;
}

export async function post(user: TestUser, path: string, body?: unknown): Promise<any> {
  return succeeded(path, await user.api.post(path, body));
}

/** @throws unless the job has completed without failures */
export async function completed(user: TestUser, jobId: string, timeoutMs?: number): Promise<any> {
  const job = await user.jobEnd(jobId, timeoutMs);
  if (job.status !== 'completed' || job.failed > 0)
    throw new Error(`${jobId} ended as ${job.status}, ${job.failed} failed: ${job.error}`);
  return job;
}

export async function startImport(
  user: TestUser,
  accountId: string,
  messages: readonly string[],
): Promise<string> {
  const file = messages.map((message) => inMbox(message)).join('');
  return succeeded('The import', await upload(user, accountId, file)).jobId as string;
}

/** Archives messages, written with LF, by importing them. */
export async function importMessages(
  user: TestUser,
  accountId: string,
  messages: readonly string[],
): Promise<void> {
  await completed(user, await startImport(user, accountId, messages));
}

/** Runs many small jobs, for the events and notifications that they cause. */
export async function bulkChanges(
  { user, accountIds, mailboxes, host }: Attacker,
  count: number,
): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const at = n % accountIds.length;
    const messageIds = host.sandbox.mailbox(mailboxes[at]).ids().slice(0, 1);
    await post(user, `/api/mailbox/${accountIds[at]}/messages/bulk`, { action: 'mark_read', messageIds });
  }
}

let messages = 0;

/** A message with this HTML; no two are the same. */
export function htmlMessage(html: string): string {
  messages += 1;
  return [
    'From: Sender <sender@shop.test>',
    `Subject: Message ${messages}`,
    `Message-ID: <${messages}.${process.pid}@shop.test>`,
    'Date: Thu, 08 Feb 2024 18:49:08 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '',
  ].join('\n');
}

const PARAGRAPH = `<p>${'A line of text as mails have it, with some words. '.repeat(20)}</p>\n`;

/** HTML of about so many bytes. */
export const htmlOf = (bytes: number): string => PARAGRAPH.repeat(Math.ceil(bytes / PARAGRAPH.length));
