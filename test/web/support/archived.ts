import { expect, type Page } from '@playwright/test';
import { startJob } from './people';

export interface ArchivedMail {
  readonly id: string;
  readonly subject: string;
}

/** The mailbox that the page is about. */
export function accountOf(page: Page): string {
  const id = /\/a\/([^/]+)\//.exec(page.url())?.[1];
  if (id === undefined) throw new Error(`${page.url()} is of no mailbox`);
  return id;
}

/** Saves messages of the mailbox to the archive, and waits until they are there. @returns how many there are */
export async function archiveMessages(page: Page, accountId: string, most = Infinity): Promise<number> {
  const messageIds: string[] = [];
  let pageToken: string | null = '';
  do {
    const query: string = pageToken === '' ? '' : `&pageToken=${pageToken}`;
    const list = await page.request.get(`/api/mailbox/${accountId}/messages?maxResults=500${query}`);
    expect(list.status()).toBe(200);
    const { messages, nextPageToken } = (await list.json()) as {
      messages: { id: string }[];
      nextPageToken: string | null;
    };
    messageIds.push(...messages.map(({ id }) => id));
    pageToken = nextPageToken;
  } while (pageToken && messageIds.length < most);
  const wanted = messageIds.slice(0, most);
  await (
    await startJob(page, `/api/archive/${accountId}/archive`, { messageIds: wanted })
  )();
  return wanted.length;
}

/** The archived mails, in the order of the list. */
export async function archivedMails(page: Page, accountId: string): Promise<ArchivedMail[]> {
  const mails: ArchivedMail[] = [];
  for (let number = 1; ; number += 1) {
    const answer = await page.request.get(`/api/archive/${accountId}/mails?limit=100&page=${number}`);
    const found = (await answer.json()) as { mails: ArchivedMail[] };
    mails.push(...found.mails);
    if (found.mails.length < 100) return mails;
  }
}
