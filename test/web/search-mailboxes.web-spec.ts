import type { Locator, Page } from '@playwright/test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './support/fixtures';
import { mboxFile } from './support/mbox';
import { patient } from './support/patience';
import { connectMailbox, signUp, startJob } from './support/people';

const PLAN = 'The plan of the kitchen, in copper.';
/** A message that is archived. */
const PIPES = [
  'From: Paula Plumber <paula@plumber.example>',
  'To: ada@example.org',
  'Subject: Copper pipes',
  'Message-ID: <pipes@plumber.example>',
  'Date: Mon, 03 Mar 2025 10:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>The <b>copper</b> for the kitchen.</p>',
  '--x',
  'Content-Type: text/plain; name="copper plan.txt"',
  'Content-Disposition: attachment; filename="copper plan.txt"',
  '',
  PLAN,
  '--x--',
  '',
].join('\r\n');
/** A message that is in the mailbox only. */
const PRICES = [
  'From: Mark Metal <mark@metal.example>',
  'To: ada@example.org',
  'Subject: Prices of the year',
  'Message-ID: <prices@metal.example>',
  'Date: Wed, 01 Jan 2025 10:00:00 +0000',
  '',
  'Copper is dearer than before.',
  '',
].join('\r\n');
/** A message that is in an archive only. */
const ROOF = mboxFile(
  'roof.mbox',
  [
    'From rita@roofer.example Thu Jan  1 00:00:00 2026',
    'From: Rita Roofer <rita@roofer.example>',
    'To: ada@example.org',
    'Subject: The roof',
    'Message-ID: <roof@roofer.example>',
    'Date: Thu, 01 Jan 2026 10:00:00 +0000',
    '',
    'It will be of slate, not of copper.',
    '',
    '',
  ].join('\n'),
);

const mailDir = mkdtempSync(join(tmpdir(), 'mailroom-copper-'));
writeFileSync(join(mailDir, 'pipes.eml'), PIPES);
writeFileSync(join(mailDir, 'prices.eml'), PRICES);

test.use({ serviceOptions: { mailDir, messages: 10 } });
test.afterAll(() => rmSync(mailDir, { recursive: true, force: true }));

const field = (page: Page): Locator => page.getByRole('search').getByLabel('Search all mail');
const results = (page: Page): Locator => page.getByRole('list', { name: 'Results' }).locator('> li');

async function searchFor(page: Page, q: string): Promise<void> {
  await page.keyboard.press('/');
  await field(page).fill(q);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Search' })).toBeFocused();
}

/** The mailbox that has the messages of the folder. */
const HOME = 'demo@sandbox.mailroom.test';

/**
 * A person with two mailboxes: of the first, one message is archived; the second has another message in its archive.
 * @returns the address of the second
 */
async function begin(page: Page): Promise<string> {
  const [name] = (await signUp(page)).split('@');
  const work = `work-${name!}-10@sandbox.mailroom.test`;
  await connectMailbox(page, HOME);
  await connectMailbox(page, work);
  const me = (await (await page.request.get('/api/auth/me')).json()) as {
    mailboxAccounts: { id: string; email: string }[];
  };
  const idOf = (wanted: string): string => me.mailboxAccounts.find(({ email }) => email === wanted)!.id;
  const archived = await startJob(page, `/api/archive/${idOf(HOME)}/archive`, { query: 'subject:pipes' });
  const imported = await page.request.post(`/api/import/${idOf(work)}/mbox`, {
    multipart: { file: ROOF },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(imported.status()).toBeLessThan(300);
  await archived();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Mailboxes' })).toBeVisible();
  return work;
}

test.describe('the search in several mailboxes', () => {
  test(
    'lists each message once, says where it is, and orders and narrows the list',
    { tag: '@change' },
    async ({ page, isUsable, isFrenchToo }) => {
      const work = await begin(page);
      await expect(async () => {
        await searchFor(page, 'copper');
        await expect(results(page)).toHaveCount(3, { timeout: 2_000 });
      }).toPass({ timeout: patient(30_000) });
      const shown = (): Promise<string[][]> =>
        results(page).evaluateAll((items) =>
          items.map((item) => (item as HTMLElement).innerText.split('\n').filter((line) => line !== '')),
        );
      const [first, ...others] = await shown();
      expect(first).toEqual(expect.arrayContaining(['The roof', 'In the archive', work]));
      expect(others).toEqual(
        expect.arrayContaining([
          expect.arrayContaining(['Copper pipes', 'In mailbox and archive', HOME]),
          expect.arrayContaining(['Prices of the year', 'In the mailbox', HOME]),
        ]),
      );
      await isUsable();
      await isFrenchToo();

      await page.getByText('Best first', { exact: true }).click();
      await expect(page).toHaveURL(/sort=relevance/);
      await expect(results(page).first()).toContainText('Copper pipes');
      await page.getByText('Newest first', { exact: true }).click();
      await expect(results(page).first()).toContainText('The roof');

      await searchFor(page, 'copper account:demo');
      await expect(results(page)).toHaveCount(2);
      await expect(page.getByText('Not every mailbox was searched')).toBeHidden();
      await searchFor(page, 'copper -account:demo');
      await expect(results(page)).toHaveCount(1);
      await expect(results(page)).toContainText('The roof');
      await page.getByRole('main').getByLabel('Mailbox', { exact: true }).selectOption({ label: HOME });
      await expect(page.getByText('Nothing matches this search.', { exact: false })).toBeVisible();
    },
  );

  test('marks the hits in the open message and in its files', async ({ page, isUsable }) => {
    await begin(page);
    for (const place of ['Archives', 'Mailboxes']) {
      await searchFor(page, 'copper kitchen');
      await page.getByText(place, { exact: true }).and(page.locator('label *')).click();
      await results(page).first().getByRole('link').click();
      await expect(page.getByRole('heading', { name: 'Copper pipes' }).locator('mark')).toHaveText('Copper');
      const text = page.frameLocator('iframe[title="Text of the message"]');
      await expect(text.locator('b mark')).toHaveText('copper');
      await expect(text.locator('mark')).toHaveText(['copper', 'kitchen']);
      await expect(page.getByRole('list', { name: 'Attachments' }).locator('mark')).toHaveText('copper');
      await isUsable();
    }
  });

  test('suggests people and labels, by keyboard', async ({ page, isUsable, isFrenchToo }) => {
    await begin(page);
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    await page.keyboard.press('/');
    await page.keyboard.type('roof -from:pau');
    await expect(options).toHaveText([/^Paula Plumber <paula@plumber\.example>/]);
    await isUsable();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(field(page)).toHaveValue('roof -from:paula@plumber.example ');
    await page.keyboard.press('Enter');
    await expect(results(page).getByRole('link', { name: 'The roof', exact: true })).toBeVisible();

    await page.keyboard.press('/');
    await page.getByRole('search').getByRole('button', { name: 'Clear the search' }).click();
    await expect(field(page)).toHaveValue('');
    await expect(field(page)).toBeFocused();
    await page.keyboard.type('rit');
    await options.filter({ hasText: 'Rita Roofer' }).click();
    await expect(field(page)).toHaveValue('from:rita@roofer.example ');
    await field(page).fill('label:trav');
    await expect(options.first()).toContainText('Travel');
    await isFrenchToo();

    await field(page).fill('');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Search tips' })).toBeVisible();
    await expect(field(page)).toHaveValue('');
  });

  test('finds the mails that carry a file', async ({ page, isUsable, isFrenchToo }) => {
    test.slow();
    await begin(page);
    await searchFor(page, 'copper');
    const choose = async (name: string, content: string): Promise<void> => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Search by file' }).click();
      await (await chooser).setFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from(content) }]);
      await expect(page.getByText(`Archived messages that carry “${name}”`)).toBeVisible();
    };
    await choose('other.txt', 'Another file');
    await expect(page.getByText(/^No archived mail is known to carry this file\./)).toBeVisible();
    await isUsable();
    await isFrenchToo();
    // Attachments are read in the background.
    await expect(async () => {
      await page.reload();
      await choose('plan.txt', PLAN);
      await expect(results(page)).toHaveCount(1, { timeout: 2_000 });
    }).toPass({ timeout: patient(150_000) });
    await expect(results(page)).toContainText('Copper pipes');
    await searchFor(page, 'copper');
    await expect(page).not.toHaveURL(/place=|file=/);

    // A file that is dropped on the page.
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'dropped.txt'));
      return transfer;
    }, PLAN);
    await page.dispatchEvent('main', 'dragenter', { dataTransfer: dropped });
    await expect(page.getByText('Drop the file to find the messages that carry it')).toBeVisible();
    await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });
    await expect(page.getByText('Archived messages that carry “dropped.txt”')).toBeVisible();
    await expect(results(page)).toHaveCount(1);
  });
});
