import { chromium } from '@playwright/test';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from './demo/api.mjs';
import { choosePort, DemoService } from './demo/service.mjs';
import { connectMailbox, demoCredentials, logIn, tour } from './demo/tour.mjs';
import { browserOptions } from './lib/browser.mjs';
import { ROOT, ReadableFailure } from './lib/commands.mjs';
import { runScript, say, setUp } from './setup.mjs';

/*
 * Takes the pictures of the README, in a real browser, of a demo that is started for them: what they show is what a newcomer
 * sees after `npm run demo`.
 */

const IMAGES = join(ROOT, 'docs/images');
const FIRST_PORT = 14_000;
const SIZE = { width: 1200, height: 750 };
const LARGEST_KIB = 160;
const INDEXED_WITHIN_MS = 180_000;

const firstMail = (page) =>
  page.getByRole('listbox').getByRole('option').filter({ hasNotText: 'Loading' }).first();

const PICTURES = {
  async mailbox(page) {
    await page.getByRole('link', { name: 'Mail', exact: true }).click();
    await page.getByLabel('Search in the mailbox').fill('category:promotions older_than:6m');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=/);
    await firstMail(page).waitFor();
    const list = page.getByRole('listbox', { name: 'Messages' });
    await list.press('x');
    for (let row = 0; row < 7; row += 1) await list.press('j');
    await list.press('Shift+X');
    await page.getByText('8 chosen').waitFor();
  },
  async archive(page) {
    await page.getByRole('link', { name: 'Archive', exact: true }).click();
    await page.getByLabel('Search in the archive').fill('shoply');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=shoply/);
    await firstMail(page).click();
    await page.getByTitle('Text of the message').waitFor();
  },
  async overview(page) {
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    // The provider's quota sets the pace at which the mailbox is looked through.
    await page.getByRole('button', { name: 'Jobs', exact: true }).waitFor({ timeout: INDEXED_WITHIN_MS });
    await page.reload();
    await page.getByRole('heading', { name: 'Who fills it' }).waitFor();
  },
};

async function take(page, name) {
  await PICTURES[name](page);
  const file = join(IMAGES, `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  const kib = statSync(file).size / 1024;
  if (kib > LARGEST_KIB)
    throw new ReadableFailure(`${file} has ${kib.toFixed(0)} KiB: ${LARGEST_KIB} at most.`);
  say(`docs/images/${name}.png, ${kib.toFixed(0)} KiB`);
}

async function signIn(page, url, { email, password }) {
  await page.goto(url);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Home', exact: true }).waitFor();
}

async function takeAll(url, credentials, options) {
  const browser = await chromium.launch(options);
  try {
    const page = await browser.newPage({ viewport: SIZE, locale: 'en-GB', colorScheme: 'light' });
    await signIn(page, url, credentials);
    for (const name of Object.keys(PICTURES)) await take(page, name);
  } finally {
    await browser.close();
  }
}

await runScript(async () => {
  const browser = browserOptions();
  await setUp();
  mkdirSync(IMAGES, { recursive: true });
  const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-pictures-'));
  const port = await choosePort(FIRST_PORT);
  const service = new DemoService({ port, dataDir });
  try {
    await service.waitUntilReady();
    const api = new Api(service.url);
    const credentials = demoCredentials(dataDir);
    await logIn(api, credentials, dataDir);
    await tour(api, await connectMailbox(api), join(dataDir, 'exports'));
    console.log();
    await takeAll(service.appUrl, credentials, browser);
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  process.exit();
});
