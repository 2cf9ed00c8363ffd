import { GmailImapServer } from '../support/imap/gmail/gmail-imap-server';
import { TestImapServer } from '../support/imap/imap-server';
import { arrivalOf, plainMail } from '../support/imap/plain-mail';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { openPage } from './support/places';

test.describe('a mailbox of any provider', () => {
  let server: TestImapServer;

  test.beforeAll(async () => {
    server = await TestImapServer.start();
    await server.append('Old mail', [
      Buffer.from('From: a@example.org\r\nSubject: From long ago\r\n\r\nHello\r\n'),
    ]);
  });
  test.afterAll(() => server.stop());

  test('is discovered, tested, confirmed, connected, and reconnected', async ({ page, isUsable }) => {
    await signUp(page);
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Connect: Any mailbox (IMAP)' }).click();
    await isUsable();

    await page.getByLabel('Address of the mailbox').fill('ada@gmail.com');
    await page.getByRole('button', { name: 'Find the server' }).click();
    await expect(page.getByRole('note')).toContainText('By IMAP, Gmail wants an app password');
    await expect(page.getByRole('textbox', { name: 'Server' })).toHaveValue('imap.gmail.com');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByLabel('Address of the mailbox').fill('ada@outlook.com');
    await page.getByRole('button', { name: 'Find the server' }).click();
    await expect(page.getByRole('alert')).toContainText('takes no passwords by IMAP');
    await page.getByRole('button', { name: 'Another address' }).click();

    await page.getByLabel('Address of the mailbox').fill('ada@icloud.com');
    await page.getByRole('button', { name: 'Find the server' }).click();
    await expect(page.getByText('iCloud wants an app password here')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Server' })).toHaveValue('imap.mail.me.com');
    await expect(page.getByRole('textbox', { name: 'User name' })).toHaveValue('ada');
    await isUsable();

    await page.getByRole('textbox', { name: 'Server' }).fill('localhost');
    await page.getByRole('textbox', { name: 'Port' }).fill(String(server.tlsPort));
    await page.getByRole('textbox', { name: 'User name' }).fill(server.user);
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
    await page.getByRole('button', { name: 'Try it' }).click();
    await expect(page.getByRole('alert')).toContainText('cannot be verified');
    await expect(page.getByRole('alert')).toContainText(/([0-9A-F]{2}:){31}[0-9A-F]{2}/);
    await isUsable();
    await page.getByRole('button', { name: 'It is the same: trust this certificate' }).click();
    await expect(page.getByRole('alert')).toContainText('The server says: “Authentication failed.”');
    await isUsable();

    await page.getByRole('textbox', { name: 'Password' }).fill(server.pass);
    await page.getByRole('button', { name: 'Try it' }).click();
    await expect(page.getByText(/^Signed in\. The mailbox has \d folders\.$/)).toBeVisible();
    await page.getByRole('combobox', { name: 'Archive' }).click();
    await page.getByRole('option', { name: 'Old mail' }).click();
    await isUsable();
    await page.getByRole('button', { name: 'Connect the mailbox' }).click();
    await expect(page.getByText('ada@icloud.com is connected.')).toBeVisible();

    const row = page.getByRole('region', { name: 'ada@icloud.com' });
    await row.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await row.getByRole('button', { name: 'Connect the mailbox again' }).click();
    await expect(page.getByRole('heading', { name: 'Connect ada@icloud.com again' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Server' })).toHaveValue('localhost');
    await page.getByRole('textbox', { name: 'Password' }).fill(server.pass);
    await page.getByRole('button', { name: 'Try it' }).click();
    await expect(page.getByRole('combobox', { name: 'Archive' })).toHaveValue('Old mail');
    await page.getByRole('button', { name: 'Connect the mailbox', exact: true }).click();
    await expect(page.getByText('ada@icloud.com is connected.')).toBeVisible();

    await page.getByRole('button', { name: 'Server and folders: ada@icloud.com' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('combobox', { name: 'Archive' })).toHaveValue('Old mail');
    await dialog.getByRole('combobox', { name: 'Archive' }).click();
    await page.getByRole('option', { name: 'Old mail' }).click();
    await expect(dialog.getByRole('combobox', { name: 'Archive' })).toHaveValue('');
    await dialog.getByRole('combobox', { name: 'Drafts' }).click();
    await page.getByRole('option', { name: 'Old mail' }).click();
    await isUsable();
    await dialog.getByRole('button', { name: 'Save the folders' }).click();
    await expect(dialog.getByRole('status')).toHaveText('Saved. The mailbox is being read again.');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Server and folders: ada@icloud.com' }).click();
    await expect(dialog.getByRole('combobox', { name: 'Drafts' })).toHaveValue('Old mail');
  });
});

test.describe('Gmail with an app password', () => {
  let server: GmailImapServer;

  test.beforeAll(async () => {
    server = await GmailImapServer.start();
    server.mailbox.createLabel('Travel');
    server.mailbox.add({
      raw: plainMail(1, { subject: 'Tickets' }),
      receivedAt: arrivalOf(1),
      labels: ['Travel'],
    });
    server.mailbox.add({ raw: plainMail(2, { subject: 'Hello' }), receivedAt: arrivalOf(2) });
  });
  test.afterAll(() => server.stop());

  test('is connected with its labels', async ({ page, isUsable }) => {
    await signUp(page);
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Connect: Any mailbox (IMAP)' }).click();
    await page.getByLabel('Address of the mailbox').fill('ada@gmail.com');
    await page.getByRole('button', { name: 'Find the server' }).click();
    await page.getByRole('textbox', { name: 'Server' }).fill('localhost');
    await page.getByRole('textbox', { name: 'Port' }).fill(String(server.port));
    await page.getByRole('textbox', { name: 'User name' }).fill(server.user);
    await page.getByRole('textbox', { name: 'Password' }).fill(server.pass);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('button', { name: 'It is the same: trust this certificate' }).click();
    await expect(page.getByText('Gmail’s labels are taken over as they are')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Trash' })).toBeHidden();
    await isUsable();
    await page.getByRole('button', { name: 'Connect the mailbox' }).click();
    await expect(page.getByText('ada@gmail.com is connected.')).toBeVisible();

    await openPage(page, 'Mail');
    await page.getByLabel('Search in the mailbox').fill('label:travel');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Tickets').first()).toBeVisible();
    await expect(page.getByText('Hello')).toBeHidden();
  });
});
