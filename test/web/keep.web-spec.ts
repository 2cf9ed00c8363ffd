import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { patient } from './support/patience';
import { openPage } from './support/places';

const MESSAGES = 60;

// There is no schedule to begin with.
test.use({ expectedErrors: { patterns: [/status of 404/] } });

const region = (page: Page, name: string): ReturnType<Page['locator']> => page.getByRole('region', { name });

/** The number of messages in a part of the bar. */
const part = (page: Page, name: string): ReturnType<Page['locator']> =>
  region(page, 'What became of each message')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) });

test.setTimeout(patient(120_000));

test(
  'a user keeps a whole mailbox, offloads a part of it, checks the receipt, and restores a message',
  { tag: '@change' },
  async ({ page, isUsable, isFrenchToo }) => {
    await signUp(page, { mailbox: true, messages: MESSAGES });

    await test.step('keep everything', async () => {
      await openPage(page, 'Keep everything');
      await page.getByRole('radio', { name: 'Keep everything' }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Everything is in order')).toBeVisible({ timeout: patient(60_000) });
      await expect(part(page, 'Waiting')).toContainText('0');
      await isUsable();
    });

    await test.step('see the messages of each part, with the reason', async () => {
      await page.getByRole('button', { name: 'Show: In the archive', exact: true }).click();
      const list = region(page, 'In the archive').getByRole('listitem');
      await expect(list.first()).toContainText('copied, not checked since');
      await expect(page).toHaveURL(/part=archived/);
      await isUsable();
      await region(page, 'In the archive').getByRole('button', { name: 'Close' }).click();
    });

    await test.step('see which messages can be offloaded', async () => {
      const offload = region(page, 'Make room in the mailbox');
      await offload.getByLabel('Older than (days)').fill('1');
      await offload.getByRole('checkbox', { name: 'Unread' }).check();
      await offload.getByRole('button', { name: 'See what could go' }).click();
      await expect(offload.getByText(/^\d+ messages could go/)).toBeVisible({ timeout: patient(30_000) });
      await isUsable();
    });

    await test.step('offload them', async () => {
      const offload = region(page, 'Make room in the mailbox');
      const move = offload.getByRole('button', { name: /^Move \d+ messages to the trash$/ });
      const count = /\d+/.exec((await move.textContent()) ?? '')![0];
      await move.click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByRole('button', { name: /^Move/ })).toBeDisabled();
      await isUsable();
      await dialog.getByRole('textbox').fill(count);
      await dialog.getByRole('button', { name: /^Move/ }).click();
      await expect(dialog).toBeHidden();
      await expect(offload.getByRole('link', { name: 'Receipt' }).first()).toBeVisible({
        timeout: patient(60_000),
      });
      await expect(offload.getByText(`${count} moved`)).toBeVisible();
      // The first receipt has made the first key.
      await expect(offload.getByText('The first key is created with the first receipt.')).toBeHidden();
      await isUsable();
    });

    await test.step('check the receipt', async () => {
      const download = page.waitForEvent('download');
      await region(page, 'Make room in the mailbox').getByRole('link', { name: 'Receipt' }).first().click();
      const receipt = JSON.parse(await readAll((await download).createReadStream())) as {
        statement: string;
        signature: string;
      };
      expect(receipt.statement).toContain('mailroom-offload-receipt');
      expect(receipt.signature).toMatch(/^[\w+/=]{80,}$/);
    });

    await test.step('restore one message, after a trial run', async () => {
      await openPage(page, 'Archive');
      await page
        .getByRole('listbox', { name: 'Archived messages' })
        .getByRole('option')
        .filter({ hasNotText: 'Loading' })
        .first()
        .click();
      await region(page, 'Message').getByRole('button', { name: 'Restore' }).click();
      const dialog = page.getByRole('dialog');
      await isUsable();
      const where = page.url();
      await dialog.getByRole('button', { name: 'See what would happen' }).click();
      await expect(dialog.getByText(/^1 message \(.*\) would go to /)).toBeVisible({
        timeout: patient(30_000),
      });
      // The person stays where they were, beside the button that does it, and nothing says that it was done.
      expect(page.url()).toBe(where);
      const start = dialog.getByRole('button', { name: 'Restore 1 message' });
      await expect(start).toBeFocused();
      await expect(start).toBeInViewport();
      const toast = page.getByRole('alert').filter({ hasText: 'Trial run of a restore' });
      await expect(toast).toContainText('1 message can be restored. Nothing has been restored yet.');
      await isUsable();
      await isFrenchToo();
      await start.click();
      await expect(
        dialog.getByText(/^1 (taken out of the trash|was there already|added)$/).first(),
      ).toBeVisible({
        timeout: patient(60_000),
      });
      const done = page
        .getByRole('alert')
        .filter({ hasText: /^Restore/ })
        .first();
      await expect(done).toContainText(
        /1 (taken out of the trash|was in the mailbox already|added to the mailbox)/,
      );
      await expect(dialog.getByRole('link', { name: 'Report of each message' })).toBeVisible();
      await isUsable();
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
      await expect(dialog).toBeHidden();
      expect(page.url()).toBe(where);
      await page.getByRole('link', { name: /notification/i }).click();
      await expect(page.getByText('Trial run of a restore: finished')).toBeVisible();
      await openPage(page, 'Keep everything');
    });

    await test.step('restore all messages of the plan', async () => {
      await region(page, 'Make room in the mailbox')
        .getByRole('button', { name: /^Restore: / })
        .click();
      const restores = region(page, 'Restored messages');
      await restores
        .getByRole('button', { name: /^Restore \d+ messages$/ })
        .click({ timeout: patient(30_000) });
      await expect(restores.getByText(/^\d+ taken out of the trash$/).first()).toBeVisible({
        timeout: patient(60_000),
      });
    });

    await test.step('schedule it every night, and cancel the schedule', async () => {
      const schedule = region(page, 'Do it every night');
      await schedule.getByRole('button', { name: 'Show the schedule' }).click();
      await schedule
        .getByRole('textbox', { name: 'Which messages' })
        .fill('category:promotions older_than:2y');
      await schedule.getByRole('switch', { name: 'Every night' }).check();
      await schedule.getByRole('button', { name: 'Save the schedule' }).click();
      await expect(schedule.getByRole('status')).toHaveText('Saved. It runs every night from now on.');
      await isUsable();
      await page.reload();
      await schedule.getByRole('button', { name: 'Show the schedule' }).click();
      await expect(schedule.getByRole('switch', { name: 'Every night' })).toBeChecked();
      await schedule.getByRole('switch', { name: 'Every night' }).uncheck();
      await schedule.getByRole('button', { name: 'Save the schedule' }).click();
      await expect(schedule.getByRole('status')).toHaveText('Saved. It does not run.');
    });
  },
);

test('a mailbox that is only watched is not shown as copied', async ({ page, isUsable, isFrenchToo }) => {
  await signUp(page, { mailbox: true, messages: MESSAGES });
  await openPage(page, 'Keep everything');
  await expect(page.getByText('This is off now.')).toBeVisible();
  await page.getByRole('radio', { name: 'Watch' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('You see which messages of this mailbox are in the archive.')).toBeVisible();
  await expect(part(page, 'Not in the archive')).toContainText(/[1-9]/);
  await expect(page.getByText('Every message of this mailbox is copied')).toBeHidden();
  await expect(page.getByText('New mail is copied within minutes.')).toBeHidden();
  await expect(page.getByText(/messages? waits?/)).toBeHidden();
  await page.getByRole('button', { name: 'Show: Not in the archive' }).click();
  await expect(region(page, 'Not in the archive').getByRole('listitem').first()).toContainText(
    'not in the archive',
  );
  await isUsable();
  await isFrenchToo();
  await openPage(page, 'Mail');
  await page
    .getByRole('listbox', { name: 'Messages' })
    .getByRole('option')
    .filter({ hasNotText: 'Loading' })
    .first()
    .click();
  await expect(region(page, 'Message').getByText('Not in the archive')).toBeVisible();
  await expect(page.getByText('Waits to be copied to the archive')).toBeHidden();
});

async function readAll(stream: Promise<NodeJS.ReadableStream>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of await stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
