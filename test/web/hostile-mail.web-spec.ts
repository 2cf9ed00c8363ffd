import type { Page } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TORTURE_MAILS } from '../support/archive/torture-mails';
import {
  CANARY,
  MUTATION_VECTORS,
  PLACING_VECTORS,
  REMOTE_VECTORS,
  SCRIPT_VECTORS,
} from '../support/safe-html/vectors';
import { overflowing } from './support/accessibility';
import { accountOf } from './support/archived';
import { expect } from './support/fixtures';
import { readAll, testWithMails } from './support/mail-reading';
import { patient } from './support/patience';

const VECTORS = [...SCRIPT_VECTORS, ...MUTATION_VECTORS, ...REMOTE_VECTORS, ...PLACING_VECTORS];
/**
 * Each is a part of its own: what one leaves open hides none of the others. What a policy had to stop would be an error in
 * the console.
 */
const VECTORS_OF_A_MAIL = 8;
const INSIDE = 'a picture from inside';
/** As newsletters are built: of a fixed width, and hiding what does not fit. */
const WIDE = 'of a fixed width';
const WIDE_HTML =
  '<style>html,body{overflow-x:hidden !important;width:100%}</style><body style="overflow:hidden"><center>' +
  '<table width="700" style="width:700px;background:#dde"><tr><td>The left edge</td>' +
  '<td align="right"><span>The right edge</span></td></tr></table></center></body>';
const PHONE = { width: 390, height: 844 };
const READ_ALL_MS = patient(180_000);

function hostileMails(): Buffer[] {
  const mails: Buffer[] = [];
  for (let first = 0; first < VECTORS.length; first += VECTORS_OF_A_MAIL) {
    const parts = VECTORS.slice(first, first + VECTORS_OF_A_MAIL).map(
      (vector) =>
        `--cut\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(vector).toString('base64')}\r\n`,
    );
    mails.push(
      Buffer.from(
        `From: ${CANARY} <a@${CANARY}>\r\nSubject: hostile ${first}\r\nMIME-Version: 1.0\r\n` +
          `Content-Type: multipart/mixed; boundary=cut\r\n\r\n${parts.join('')}--cut--\r\n`,
      ),
    );
  }
  const inside = `Subject: ${INSIDE}\r\nContent-Type: text/html\r\n\r\n<img src="http://127.0.0.1:9/x.png" alt="x">`;
  const wide = `Subject: ${WIDE}\r\nContent-Type: text/html\r\n\r\n${WIDE_HTML}`;
  return [...mails, ...Object.values(TORTURE_MAILS), Buffer.from(inside), Buffer.from(wide)];
}

/** Taken by the browser: Playwright's own pictures run scripts in frames, which the sandbox of a mail refuses loudly. */
async function pictureOf(page: Page): Promise<string> {
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot');
  await browser.detach();
  return data;
}

const test = testWithMails((folder) =>
  hostileMails().forEach((mail, number) => writeFileSync(join(folder, `${number}.eml`), mail)),
);

test('hostile mail is read without a script, an error, or a request to another host', async ({ page }) => {
  test.setTimeout(READ_ALL_MS);
  const mails = await readAll(page);
  expect(mails.filter(({ subject }) => subject.startsWith('hostile '))).toHaveLength(
    Math.ceil(VECTORS.length / VECTORS_OF_A_MAIL),
  );
  expect(mails.length).toBeGreaterThan(50);

  // After the click too the page asks its own service alone, and that does not look inside its network.
  const inside = mails.find(({ subject }) => subject === INSIDE);
  await page.goto(`/a/${accountOf(page)}/archive?mail=${inside!.id}`);
  await expect(page.getByText(/From 127\.0\.0\.1\. Mailroom fetches them for you/)).toBeVisible();
  await page.getByRole('button', { name: 'Load 1 remote image' }).click();
  await expect(page.getByText('The remote image could not be loaded.')).toBeVisible();

  // What is wider than a phone is scrolled to, inside the frame alone.
  const wide = mails.find(({ subject }) => subject === WIDE);
  await page.setViewportSize(PHONE);
  await page.goto(`/a/${accountOf(page)}/archive?mail=${wide!.id}`);
  const frame = page.getByTitle('Text of the message');
  await (await (await frame.elementHandle()).contentFrame())!.waitForLoadState('load');
  const { x, y } = (await frame.boundingBox())!;
  const before = await pictureOf(page);
  await page.mouse.move(x + 40, y + 40);
  await page.mouse.wheel(600, 0);
  await expect.poll(async () => (await pictureOf(page)) === before).toBe(false);
  expect(await overflowing(page)).toEqual([]);
});
