import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { patient } from './support/patience';
import { openPage } from './support/places';

const open = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).click();

/** A receiver of webhooks that answers with given statuses, and notes what it got. */
async function startReceiver(): Promise<{
  server: Server;
  url: string;
  got: IncomingMessage[];
  answer: number[];
}> {
  const got: IncomingMessage[] = [];
  const answer: number[] = [];
  const server = createServer((request, response) => {
    got.push(request);
    request.resume();
    response.writeHead(answer.shift() ?? 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got, answer };
}

test.describe('API keys, buckets and webhooks', { tag: '@change' }, () => {
  test('an API key is shown once, works, and is refused once it is revoked', async ({
    page,
    isUsable,
    isFrenchToo,
    playwright,
    service,
  }) => {
    await signUp(page);
    await open(page, 'API keys');
    await expect(page.getByText('You have no API keys.')).toBeVisible();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('backup script');
    await isUsable();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const key = await page.getByRole('textbox', { name: 'Key' }).inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('textbox', { name: 'Key' })).toBeHidden();
    const program = await playwright.request.newContext({
      baseURL: service.url,
      extraHTTPHeaders: { authorization: `Bearer ${key}` },
    });
    expect((await program.get('/api/jobs')).status()).toBe(200);
    const keys = page.getByRole('list', { name: 'API keys' });
    await expect(keys.getByRole('listitem')).toContainText('backup script');
    await isFrenchToo();
    await keys.getByRole('button', { name: 'Revoke: backup script' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByText('You have no API keys.')).toBeVisible();
    expect((await program.get('/api/jobs')).status()).toBe(401);
    await program.dispose();
  });

  test('a bucket is tested before mail is stored in it', async ({ page, isUsable, isFrenchToo }) => {
    await signUp(page);
    await open(page, 'Storage');
    await expect(page.getByRole('radio', { name: 'On the disk of this service' })).toBeChecked();
    await page.getByRole('radio', { name: 'In a bucket of your own (S3)' }).check();
    await page.getByLabel('Address of the object store').fill('http://127.0.0.1:9');
    await page.getByLabel('Access key').fill('key');
    await page.getByRole('textbox', { name: 'Secret key' }).fill('secret');
    await isFrenchToo();
    await page.getByRole('button', { name: 'Test' }).click();
    await expect(page.getByRole('alert')).toContainText('The bucket does not work.', {
      timeout: patient(30_000),
    });
    await isUsable();
    await page.getByRole('radio', { name: 'On the disk of this service' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved. New mail goes there from now on.')).toBeVisible();
  });

  test('a webhook is tested, and its deliveries show the responses', async ({
    page,
    isUsable,
    isFrenchToo,
  }) => {
    const receiver = await startReceiver();
    try {
      await signUp(page);
      await open(page, 'Webhooks');
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await page.getByLabel('Name').fill('Automation');
      await page.getByLabel('Address').fill(receiver.url);
      await isUsable();
      await page.getByRole('button', { name: 'Save' }).click();
      const item = page.getByRole('list', { name: 'Webhooks', exact: true }).getByRole('listitem').first();
      receiver.answer.push(204, 500);
      await item.getByRole('button', { name: 'Send a test' }).click();
      await expect(item.getByText('The receiver took the test.')).toBeVisible();
      expect(receiver.got[0]!.headers['x-webhook-signature']).toMatch(/^[\da-f]{64}$/);
      await item.getByRole('button', { name: 'Send a test' }).click();
      await expect(item.getByText(/^The receiver did not take the test\./)).toBeVisible();
      await item.getByRole('button', { name: 'Deliveries', exact: true }).click();
      const deliveries = item.getByRole('list', { name: 'Deliveries of Automation' });
      await expect(deliveries.getByRole('listitem')).toHaveCount(2);
      await expect(deliveries).toContainText('HTTP 500');
      await isUsable();
      await isFrenchToo();
      await item.getByRole('switch', { name: 'Switched on' }).click();
      await expect(item.getByRole('switch', { name: 'Switched on' })).not.toBeChecked();
      await item.getByRole('button', { name: 'Show the secret' }).click();
      await expect(item.getByRole('textbox', { name: /^Secret/ })).toHaveValue(/^whsec_/);
      await item.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await expect(page.getByText('You have no webhooks.')).toBeVisible();
    } finally {
      await new Promise((resolve) => receiver.server.close(resolve));
    }
  });
});

test.describe('the audit log', { tag: '@change' }, () => {
  test('says who deleted what, shows the rest on request, and is exported', async ({
    page,
    isUsable,
    isFrenchToo,
  }) => {
    const email = await signUp(page, { mailbox: true, messages: 60 });
    const mailbox = email.replace('@example.org', '-60@sandbox.mailroom.test');
    await openPage(page, 'Mail');
    const rows = page.getByRole('listbox', { name: 'Messages' }).getByRole('option');
    await rows.filter({ hasNotText: 'Loading' }).first().getByTitle('Choose').click();
    await page.getByRole('button', { name: 'Trash', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Trash 1 message' }).click();
    await expect(page.getByRole('alert').filter({ hasText: '1 moved to the trash' })).toBeVisible({
      timeout: patient(20_000),
    });
    // The person saw it: the bell has nothing to say.
    await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();

    await page.goto('/audit');
    const entries = page.getByRole('list', { name: 'Audit log' });
    await expect(entries.getByText(`You connected the mailbox ${mailbox}`)).toBeVisible();
    await page.getByLabel('About').selectOption({ label: 'Deletions' });
    const done = entries.getByRole('listitem').filter({
      hasText: `You moved 1 message in ${mailbox} to the trash`,
    });
    await expect(done).toHaveCount(1);
    await expect(entries.getByText('You connected the mailbox')).toHaveCount(0);
    await done.getByText('Details').click();
    await expect(done.getByText('Action: messages.bulk-completed')).toBeVisible();
    await isUsable();
    await isFrenchToo();

    const leaving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export as CSV' }).click();
    const download = await leaving;
    expect(download.suggestedFilename()).toBe('audit-log.csv');
    const lines = (await readAll(await download.createReadStream())).split('\r\n');
    expect(lines[0]).toContain('occurred_at,action,outcome');
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual([
      'messages.bulk-completed',
      'messages.bulk-started',
      undefined,
    ]);
  });
});

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
