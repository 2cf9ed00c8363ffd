import type { Locator, Page, Route } from '@playwright/test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from './support/fixtures';
import { DAMAGED, inMbox, mboxFile } from './support/mbox';
import { signUp } from './support/people';
import { openPage } from './support/places';

const MIB = 1024 * 1024;

/** Of several chunks: the first has a mebibyte, and they grow. */
const large = mboxFile('Old mail.mbox', ...Array.from({ length: 6 }, (_, one) => inMbox(one, MIB)));

const openTransfer = async (page: Page): Promise<void> => {
  await signUp(page, { mailbox: true, messages: 20 });
  await openPage(page, 'Import and export');
  await expect(page.getByRole('heading', { name: 'Import and export' })).toBeVisible();
};

const choose = async (page: Page, button: Locator, file: ReturnType<typeof mboxFile>): Promise<void> => {
  const chooser = page.waitForEvent('filechooser');
  await button.click();
  await (await chooser).setFiles(file);
};

const chooseFiles = (page: Page): Locator => page.getByRole('button', { name: 'Choose files' });
const uploadsOf = (page: Page): Locator => page.getByRole('list', { name: 'Uploads' });
const importsOf = (page: Page): Locator => page.getByRole('region', { name: 'Imports so far' });

/** Bytes as the page shows them. */
const megabytes = (bytes: number): string => `${Math.round((bytes / MIB) * 10) / 10} MB`;

/**
 * Lets so many chunks through, and holds the next until it is let go. Their sizes depend on how quick they were.
 * @returns `held` settles with the bytes before that chunk
 */
async function holdAfter(page: Page, chunks: number): Promise<{ held: Promise<number>; letGo: () => void }> {
  let letGo = (): void => undefined;
  const free = new Promise<void>((resolve) => (letGo = resolve));
  let tell = (_offset: number): void => undefined;
  const held = new Promise<number>((resolve) => (tell = resolve));
  let seen = 0;
  await page.route('**/uploads/*', async (route: Route) => {
    if (route.request().method() === 'PATCH' && (seen += 1) > chunks) {
      tell(Number(route.request().headers()['upload-offset']));
      await free;
    }
    // The page may have given the request up meanwhile.
    await route.continue().catch(() => undefined);
  });
  return { held, letGo };
}

test.describe('import', () => {
  test(
    'accepts an mbox file, and reports new, known and damaged messages',
    { tag: '@change' },
    async ({ page, isUsable }) => {
      await openTransfer(page);
      await choose(page, chooseFiles(page), mboxFile('mail.rar', 'Rar!'));
      await expect(
        uploadsOf(page).getByText('Unpack it, and drop the folder', { exact: false }),
      ).toBeVisible();
      await uploadsOf(page).getByRole('button', { name: 'Hide' }).click();
      const letters = [1, 2, 3].map((number) => inMbox(number));
      await choose(page, chooseFiles(page), mboxFile('Letters.mbox', ...letters, DAMAGED, inMbox(4)));
      const imports = importsOf(page);
      await expect(imports.getByText('4 imported')).toBeVisible();
      await expect(imports.getByText('Import: Letters.mbox')).toBeVisible();
      await expect(imports.getByText('1 message could not be imported:')).toBeVisible();
      await expect(imports.getByText(/^message at byte \d+: it is empty$/)).toBeVisible();
      await isUsable();

      // Dropped on another page this time; what is there already is not doubled.
      await openPage(page, 'Mail');
      await expect(page.getByRole('listbox', { name: 'Messages' })).toBeVisible();
      const dropped = await page.evaluateHandle((text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], 'Again.mbox'));
        return transfer;
      }, letters.join(''));
      await page.dispatchEvent('body', 'dragenter', { dataTransfer: dropped });
      await expect(page.getByText(/^Drop it to import it into the archive of/)).toBeVisible();
      await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
      await expect(page).toHaveURL(/\/transfer$/);
      await expect(imports.getByText('0 imported, 3 were in the archive already')).toBeVisible();

      await openPage(page, 'Archive');
      await expect(page.getByText('4 found')).toBeVisible();
    },
  );

  test('takes a folder, or several files, as one import', async ({ page, isUsable }) => {
    await openTransfer(page);
    const folder = mkdtempSync(join(tmpdir(), 'mailroom-folder-'));
    try {
      for (const [number, name] of ['Inbox/1.eml', 'Work/2.eml', 'notes.txt'].entries()) {
        mkdirSync(join(folder, 'Old mail', dirname(name)), { recursive: true });
        const mail = `From: a@example.org\nSubject: Letter ${number}\nMessage-ID: <f${number}@example.org>\n\nText\n`;
        writeFileSync(join(folder, 'Old mail', name), name === 'notes.txt' ? 'no mail' : mail);
      }
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a folder' }).click();
      await (await chooser).setFiles(join(folder, 'Old mail'));
      const imports = importsOf(page);
      await expect(imports.getByText('2 imported, 1 file left out: it is no mail')).toBeVisible();
      await expect(imports.getByText(/^Import: Old mail-3-[0-9a-f]{8}\.tar$/)).toBeVisible();
      await isUsable();
      const files = page.waitForEvent('filechooser');
      await chooseFiles(page).click();
      await (await files).setFiles([mboxFile('a.mbox', inMbox(1)), mboxFile('b.mbox', inMbox(2), inMbox(3))]);
      await expect(imports.getByText('3 imported', { exact: true })).toBeVisible();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('is paused and resumed, while other pages are open', async ({ page, isUsable }) => {
    await openTransfer(page);
    const { held, letGo } = await holdAfter(page, 2);
    await choose(page, chooseFiles(page), large);
    const sent = await held;
    await openPage(page, 'Archive');
    // The page of imports, which lists the uploads as well, stays until the code of the next page is there.
    await expect(page.getByRole('heading', { name: 'Archive', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Jobs, 1 upload' }).click();
    const tray = page.getByRole('dialog', { name: 'Jobs' });
    await expect(tray.getByText(`${megabytes(sent)} of 6 MB`, { exact: false })).toBeVisible();
    await tray.getByRole('button', { name: 'Pause' }).click();
    await expect(tray.getByText('Paused')).toBeVisible();
    await isUsable();
    letGo();
    await tray.getByRole('button', { name: 'Resume' }).click();
    await expect(tray.getByText('6 imported')).toBeVisible();
  });

  test('continues after a reload when the file is selected again, and with no other file', async ({
    page,
    isUsable,
  }) => {
    await openTransfer(page);
    const { held } = await holdAfter(page, 2);
    await choose(page, chooseFiles(page), large);
    const sent = await held;
    // The browser asks whether the page may really go.
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reloaded;
    await page.unroute('**/uploads/*');
    const item = uploadsOf(page).getByRole('listitem');
    await expect(item.getByText('Interrupted')).toBeVisible();
    await expect(item.getByText(`${megabytes(sent)} of 6 MB`)).toBeVisible();
    await isUsable();
    const again = item.getByRole('button', { name: 'Choose the file again' });
    await choose(page, again, mboxFile('Another.mbox', inMbox(9)));
    await expect(item.getByRole('alert')).toContainText('Another.mbox is another file.');
    const begins: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') begins.push(request.headers()['upload-offset']);
    });
    await choose(page, again, large);
    await expect(importsOf(page).getByText('6 imported')).toBeVisible();
    expect(begins[0]).toBe(String(sent));
  });

  test.describe('from another server', () => {
    // A server that is not there, or does not speak TLS, is refused before the import.
    test.use({ expectedErrors: { patterns: [/status of 400/] } });

    test('over IMAP names the field that is wrong', async ({ page }) => {
      // Takes connections, and hangs up.
      const server = createServer((socket) => socket.end());
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      const { port } = server.address() as { port: number };
      await openTransfer(page);
      const form = page.getByRole('region', { name: 'From another mail server' });
      await form.getByLabel('Server').fill('mail.invalid');
      await form.getByLabel('User name').fill('ada');
      await form.getByRole('textbox', { name: 'Password' }).fill('secret');
      await form.getByRole('button', { name: 'Import the folder' }).click();
      await expect(
        form.getByText('The server mail.invalid cannot be reached on port 993.', { exact: false }),
      ).toBeVisible();
      await expect(form.getByLabel('Server')).toHaveAttribute('aria-invalid', 'true');
      await form.getByLabel('Server').fill('127.0.0.1');
      await form.getByLabel('Port').fill(String(port));
      await form.getByRole('button', { name: 'Import the folder' }).click();
      await expect(form.getByText('No encrypted connection to 127.0.0.1', { exact: false })).toBeVisible();
      await expect(form.getByRole('textbox', { name: 'Password' })).toHaveValue('secret');
      server.close();
    });
  });
});

test.describe('export', () => {
  test('downloads a part of the archive, or all of it', async ({ page }) => {
    await openTransfer(page);
    await expect(page.getByText('Nothing is archived yet.', { exact: false })).toBeVisible();
    await choose(page, chooseFiles(page), mboxFile('Letters.mbox', ...[1, 2, 3].map((one) => inMbox(one))));
    await expect(importsOf(page).getByText('3 imported')).toBeVisible();

    const form = page.getByRole('region', { name: 'Export' });
    await form.getByLabel('Only what matches').check();
    await form.getByLabel('Sender').fill('person-2');
    const one = form.getByRole('button', { name: 'Download 1 message' });
    await expect(one).toBeVisible();
    const zip = page.waitForEvent('download');
    await one.click();
    expect((await zip).suggestedFilename()).toMatch(/\.zip$/);
    await expect(form.getByText(/^The browser downloads .+\.zip\./)).toBeVisible();

    await form.getByLabel('The whole archive').check();
    await form.getByLabel(/^mbox/).check();
    const mbox = page.waitForEvent('download');
    await form.getByRole('button', { name: 'Download 3 messages' }).click();
    const stream = await (await mbox).createReadStream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    expect(
      Buffer.concat(chunks)
        .toString()
        .match(/^Subject: Letter \d$/gm),
    ).toHaveLength(3);
  });
});
