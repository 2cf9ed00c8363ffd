import { expect, test } from './support/fixtures';
import { archiveAll, encryptArchive, signUp } from './support/people';
import { openPage } from './support/places';

const PASSPHRASE = 'a passphrase of the archive';

// What is locked is refused until the passphrase is there.
test.use({ expectedErrors: { patterns: [/status of (403|409)/] } });

test('an encrypted archive is read with its passphrase, which the page keeps only in memory', async ({
  page,
  isUsable,
}) => {
  await signUp(page, { mailbox: true, messages: 20 });
  const archived = await archiveAll(page);
  await archived();
  await encryptArchive(page, PASSPHRASE);

  await openPage(page, 'Archive');
  const rows = page.getByRole('listbox', { name: 'Archived messages' }).getByRole('option');
  await rows.first().click();
  const reader = page.getByRole('region', { name: 'Message' });
  const field = reader.getByLabel('Passphrase of the archive', { exact: true });
  const text = reader.getByTitle('Text of the message');
  await expect(field).toBeFocused();
  await isUsable();

  await page.keyboard.type('another passphrase');
  await page.keyboard.press('Enter');
  await expect(reader.getByText('This is not the passphrase of the archive.')).toBeVisible();
  await expect(text).toBeHidden();

  await field.fill(PASSPHRASE);
  await reader.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(text.contentFrame().locator('body')).not.toBeEmpty();
  await reader.getByRole('radiogroup').getByText('Source', { exact: true }).click();
  await expect(reader.getByText(/^Subject: /m)).toBeVisible();

  // The next mail does not ask again, and a page that is loaded anew knows nothing of it.
  await rows.nth(1).click();
  await expect(text).toBeVisible();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect([kept, page.url()].join()).not.toContain(PASSPHRASE);
  await page.reload();
  await expect(field).toBeVisible();
  await expect(text).toBeHidden();
});
