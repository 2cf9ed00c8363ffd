import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AttachedTextsService } from '../../../../src/archive/mails/attached-texts/attached-texts.service';
import { startTestApp, TestApp } from '../../../support/app';
import { EncryptedArchive } from '../../../support/encryption/encrypted-archive';
import type { TestUser } from '../../../support/test-user';

const MAIL = join(__dirname, '../../../../sandbox/mail');
/** Generated mails in the mailbox, most of which are about other things. */
const OTHERS = 300;

interface Found {
  readonly filename: string;
  readonly member: string | null;
  readonly kind: string | null;
  readonly name: string | null;
}
/** A file and where in it the words are. */
const place = (filename: string, place: Partial<Found> = {}): Found => ({
  filename,
  member: null,
  kind: null,
  name: null,
  ...place,
});

describe('Questions to the mailbox of the demo', () => {
  let app: TestApp;
  let user: TestUser;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 }, env: { OCR_LANGUAGES: 'eng' } });
    user = await app.user();
    const sut = await EncryptedArchive.connect(app, user, `questions-${OTHERS}@sandbox.mailroom.test`);
    const { body } = await user.api.get(`/api/mailbox/${sut.accountId}/messages?maxResults=${OTHERS}`);
    const messageIds = body.messages.map(({ id }: { id: string }) => id);
    const { body: archiving } = await user.api.post(`${sut.path}/archive`, { messageIds });
    await user.jobEnd(archiving.jobId as string);
    await sut.insertAndArchive(...readdirSync(MAIL).map((name) => readFileSync(join(MAIL, name))));
    const texts = app.get(AttachedTextsService);
    const account = { id: sut.accountId, userId: user.id };
    const never = new AbortController().signal;
    for (const read of [texts.readSome, texts.recognizeSome])
      while ((await read.call(texts, account, never)) === 'more');
  });

  afterAll(() => app?.close());

  it.each([
    [
      'the copper in the bill of the plumber',
      'plumber copper',
      'Invoice for your bathroom',
      place('invoice-RD-2026-0417.pdf', { kind: 'page', name: '2' }),
    ],
    [
      'the same with its terms',
      'from:rossignol filename:pdf file:copper after:2026/03/01 before:2026/06/01',
      'Invoice for your bathroom',
      place('invoice-RD-2026-0417.pdf', { kind: 'page', name: '2' }),
    ],
    [
      'an IBAN without its blanks',
      'GB33BUKB20201555555555',
      'Invoice for your bathroom',
      place('invoice-RD-2026-0417.pdf', { kind: 'page', name: '1' }),
    ],
    [
      'a clause of a lease',
      '"break clause" deposit',
      'Your tenancy agreement',
      place('tenancy-agreement.docx'),
    ],
    ['a recipe by a spice', 'rhubarb cardamom', 'The recipe from Sunday', place('recipe.odt')],
    [
      'a seat in a plane',
      'Aberdeen 14C',
      'You are checked in',
      place('boarding-pass.pdf', { kind: 'page', name: '1' }),
    ],
    ['minutes of a meeting', 'file:(lift inspection)', 'Minutes of the residents', place('minutes.rtf')],
    [
      'a line of a budget',
      'piano lessons',
      'Our budget for 2026',
      place('budget-2026.xlsx', { kind: 'sheet', name: 'Expenses' }),
    ],
    [
      'a price in a sheet of Excel 97',
      'dahlia llandaff',
      'Spring price list',
      place('prices-spring.xls', { kind: 'sheet', name: 'Tubers' }),
    ],
    [
      'a slide',
      'payback period grant',
      'Slides for Thursday',
      place('heat-pumps.pptx', { kind: 'slide', name: '3' }),
    ],
    ['a number of a meter', '71450/36214', 'Your readings of the last quarter', place('readings.csv')],
    [
      'a file in an archive',
      'lifeboat donation',
      'Papers for the tax return',
      place('tax-2025.zip', { member: 'donations/lifeboats.pdf', kind: 'page', name: '1' }),
    ],
    [
      'a letter of reference',
      'apprenticeship dovetail*',
      'The reference that you asked for',
      place('reference.doc'),
    ],
    ['a number in an attached message', 'boiler HX-88120', 'Fwd: no hot water', place('no-hot-water.eml')],
    [
      'a telephone number of a contact',
      'electrician 07700900461',
      'The man who did the wiring',
      place('contact.vcf'),
    ],
    [
      'an offer in winmail.dat',
      'roof slates scaffold',
      'Our offer',
      place('offer.pdf', { kind: 'page', name: '1' }),
    ],
    ['an appointment', 'root canal lindqvist', 'Your appointment', place('appointment.ics')],
    ['a scanned guarantee', 'washing machine guarantee', 'Found it in the drawer', place('scan-0031.png')],
  ])('should be answered: %s', async (_question, q, subject, file) => {
    const { status, body } = await user.api.get(`/api/search?sort=relevance&q=${encodeURIComponent(q)}`);
    expect(status).toBe(200);
    const [best] = body.results;
    const excerpt = best?.excerpts.find(({ field }: { field: string }) => field === 'file');
    expect({ q, subject: best?.subject, file: excerpt?.file }).toMatchObject({ q, subject, file });
  });
});
