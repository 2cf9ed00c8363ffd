import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from './support/fixtures';
import { readAll, testWithMails } from './support/mail-reading';
import { patient } from './support/patience';

/** Real and awkward messages kept outside the repository; the test is left out where they are not. */
const CORPUS = join(__dirname, '..', '..', '..', 'shared', 'data', 'eml');
const CORPUS_MAILS = existsSync(CORPUS)
  ? readdirSync(CORPUS, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.eml'))
      .sort()
  : [];
/** All of them take more than a minute: that is for the night. */
const MAILS = CORPUS_MAILS.filter((_, number) => process.env['TEST_TIER'] === 'all' || number % 4 === 0);
/** Some hundred mails one after the other, on a busy machine. */
const READ_ALL_MS = patient(240_000);

const test = testWithMails((folder) =>
  MAILS.forEach((name, number) => copyFileSync(join(CORPUS, name), join(folder, `${number}.eml`))),
);

test('unusual mail is read without a script, an error, or a request to another host', async ({ page }) => {
  test.skip(MAILS.length === 0, 'The messages are not there');
  test.setTimeout(READ_ALL_MS);
  const mails = await readAll(page);
  // Some are the same twice.
  expect(mails.length).toBeGreaterThan(MAILS.length / 2);
});
