import type { Locator, Page } from '@playwright/test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tarOf } from '../support/archive/built-archives';
import { PstWriter } from '../support/archive/outlook/pst-writer';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { openPage } from './support/places';

const mail = (subject: string, ...more: string[]): string =>
  [
    ...more,
    'From: Nora <nora@example.org>',
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(' ', '-')}@example.org>`,
    'Date: Tue, 3 Mar 2020 10:00:00 +0000',
    '',
    `Text of ${subject}`,
    '',
  ].join('\n');
const inMbox = (message: string): string => `From - Tue Mar  3 10:00:00 2020\n${message}\n`;

/** What people bring along: a Takeout as downloaded, a folder of messages, and a data file of Outlook. */
async function filesIn(folder: string): Promise<{ takeout: string; letters: string; outlook: string }> {
  const takeout = join(folder, 'takeout-20260101T000000Z-001.tgz');
  const tar = await tarOf({
    'Takeout/archive_browser.html': '<!DOCTYPE html><title>Takeout</title>',
    'Takeout/Mail/All mail Including Spam and Trash.mbox':
      inMbox(mail('from Takeout', 'X-Gmail-Labels: Inbox,Holidays')) +
      inMbox(mail('sent by Gmail', 'X-Gmail-Labels: Sent')),
  });
  writeFileSync(takeout, gzipSync(tar));
  const letters = join(folder, 'Letters');
  for (const name of ['Family/1.eml', 'Work/2.eml']) {
    mkdirSync(dirname(join(letters, name)), { recursive: true });
    writeFileSync(join(letters, name), mail(`letter ${name.charAt(name.length - 5)}`));
  }
  const outlook = join(folder, 'Outlook.pst');
  const writer = new PstWriter(outlook, 'unicode');
  const headers = (subject: string): string =>
    mail(subject).split('\n').slice(0, 4).join('\r\n') + '\r\n\r\n';
  writer.addFolder({
    name: 'Projects',
    letters: ['from Outlook', 'another of Outlook'].map((subject) => ({
      subject,
      headers: headers(subject),
      body: `Text of ${subject}`,
    })),
  });
  writer.end();
  return { takeout, letters, outlook };
}

/** Drops a file on the page. A script can make no folder to drop: that is chosen. */
async function drop(page: Page, path: string): Promise<void> {
  const dropped = await page.evaluateHandle(
    ({ name, base64 }) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    { name: basename(path), base64: readFileSync(path).toString('base64') },
  );
  // The part of the page that takes files is loaded after the rest.
  await expect(async () => {
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: dropped });
    await expect(page.getByText(/^Drop it to import it into the archive of/)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
}

async function chooseFolder(page: Page, path: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a folder' }).click();
  await (await chooser).setFiles(path);
}

const importsOf = (page: Page): Locator => page.getByRole('region', { name: 'Imports so far' });

test(
  'someone without a mailbox brings a Takeout, a folder and a PST, and finds the mail',
  { tag: '@change' },
  async ({ page, isUsable }) => {
    const folder = mkdtempSync(join(tmpdir(), 'mailroom-files-'));
    try {
      const { takeout, letters, outlook } = await filesIn(folder);
      await signUp(page);
      await page.getByRole('button', { name: 'Create an archive' }).click();
      await page.getByLabel('Name of the archive').fill('Old mail');
      await page.getByRole('button', { name: 'Create an archive' }).click();
      await expect(page).toHaveURL(/\/transfer$/);
      await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
      const imports = importsOf(page);

      await drop(page, takeout);
      await expect(imports.getByText('2 imported, 1 file left out: it is no mail')).toBeVisible();
      await chooseFolder(page, letters);
      await expect(imports.getByText(/^Import: Letters-2-[0-9a-f]{8}\.tar$/)).toBeVisible();
      await expect(imports.getByText('2 imported', { exact: true })).toBeVisible();
      await drop(page, outlook);
      await expect(imports.getByText('Import: Outlook.pst')).toBeVisible();
      await expect(imports.getByText('2 imported', { exact: true })).toHaveCount(2);
      await isUsable();

      await openPage(page, 'Archive');
      await expect(page.getByText('6 found')).toBeVisible();
      await page
        .getByRole('option', { name: /from Outlook/ })
        .first()
        .click();
      await expect(page.getByText('Text of from Outlook').first()).toBeVisible();
      await isUsable();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
