import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { patient } from './support/patience';

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
      await page.getByLabel('Name').fill('Home');
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
      const deliveries = item.getByRole('list', { name: 'Deliveries of Home' });
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
