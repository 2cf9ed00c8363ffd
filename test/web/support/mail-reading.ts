import type { Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountOf, archivedMails, archiveMessages, type ArchivedMail } from './archived';
import { expect, test } from './fixtures';
import { signUp } from './people';
import type { WebServiceOptions } from './web-service';
import { openPage } from './places';

/** The mailbox of the sandbox that has the files of a folder. */
const WITH_FILES = 'demo@sandbox.mailroom.test';

/** Tests with a mailbox of these mails alone. @param write puts them into a folder as EML files */
export const testWithMails = (write: (folder: string) => void) =>
  test.extend<object, { readonly serviceOptions: WebServiceOptions }>({
    serviceOptions: [
      // Playwright wants a pattern, also an empty one.
      // eslint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const folder = mkdtempSync(join(tmpdir(), 'mailroom-mails-'));
        write(folder);
        await use({ messages: 0, mailDir: folder });
        rmSync(folder, { recursive: true, force: true });
      },
      { scope: 'worker' },
    ],
    // The recorder of traces runs scripts of its own in frames, which the sandbox of a mail refuses loudly.
    trace: 'off',
  });

/** Saves all mails of a new person's mailbox to the archive, and reads each in the reader, row by row. */
export async function readAll(page: Page): Promise<readonly ArchivedMail[]> {
  const opened: string[] = [];
  page.on('dialog', (dialog) => {
    opened.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('popup', (popup) => opened.push(popup.url()));
  await signUp(page, { mailbox: true, address: WITH_FILES });
  await openPage(page, 'Archive');
  await expect(page.getByText(/Nothing is archived yet/)).toBeVisible();
  const accountId = accountOf(page);
  await archiveMessages(page, accountId);
  await page.reload();
  const mails = await archivedMails(page, accountId);
  const list = page.getByRole('listbox', { name: 'Archived messages' });
  await expect(list.getByRole('option').first()).toBeVisible();
  await list.focus();
  for (const { id } of mails) await readNext(page, id);
  expect(opened).toEqual([]);
  return mails;
}

/** Reads the mail of the row that is next, with everything that its frame would load. */
async function readNext(page: Page, id: string): Promise<void> {
  const shown = page.waitForResponse((answer) => answer.url().includes(`${id}/safe-html`));
  await page.keyboard.press('Enter');
  await shown;
  expect(page.url()).toContain(id);
  const element = await page.getByTitle('Text of the message').elementHandle();
  await (await element.contentFrame())!.waitForLoadState('load');
  // The page and the mail: no frame of a mail has one of its own, or was led elsewhere.
  expect(page.frames().map((frame) => frame.url())).toEqual([page.url(), 'about:srcdoc']);
  await page.keyboard.press('j');
}
