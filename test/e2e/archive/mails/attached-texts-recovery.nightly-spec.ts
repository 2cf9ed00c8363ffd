import { zipOf } from '../../../support/archive/built-archives';
import { emlWithAttachment } from '../../../support/archive/eml';
import { pdfWith } from '../../../support/archive/pdf-file';
import { importMbox, inMbox } from '../../../support/imports';
import { KillableService } from '../../../support/killable-service';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

/** Empty elements of a document that takes many seconds to read, however small its file is. */
const ELEMENTS = 24_000_000;
const mailWith = (filename: string, content: Buffer): string =>
  inMbox(
    emlWithAttachment({
      subject: filename,
      text: 'see attached',
      disposition: `filename="${filename}"`,
      content,
    }).toString('latin1'),
  );

/** A document in whose reading the service ends, with the service's own schedule. */
describe('A document that is read by a service that is killed', () => {
  let service: KillableService;
  let user: TestUser;

  beforeAll(async () => {
    service = await KillableService.start();
    user = await service.user();
  });
  afterAll(() => service?.close());

  it('should be given up after three times, and keep no other one from being read', async () => {
    const slow = await zipOf({
      '[Content_Types].xml': '<Types/>',
      'word/document.xml': '<a></a>'.repeat(ELEMENTS),
    });
    const accountId = await user.connect('documents-0@sandbox.mailroom.test');
    await importMbox(
      user,
      accountId,
      mailWith('hangs.docx', slow) + mailWith('good.pdf', pdfWith(['copper'])),
    );
    const stateOf = async (filename: string): Promise<any> => {
      const [row] = await service.query(
        `SELECT text_state AS state, text_reason AS reason, text_attempts AS attempts
           FROM archived_attachments WHERE account_id = $1 AND filename = $2`,
        [accountId, filename],
      );
      return row;
    };
    const waitForAttempt = (attempt: number): Promise<unknown> =>
      waitFor(
        `reading ${attempt} of the document`,
        async () => {
          const { state, attempts } = await stateOf('hangs.docx');
          return state === 'waiting' && attempts === attempt ? true : undefined;
        },
        120_000,
      );
    for (const attempt of [1, 2, 3]) {
      await waitForAttempt(attempt);
      await service.kill();
      expect(await stateOf('hangs.docx')).toMatchObject({ state: 'waiting', attempts: attempt });
      await service.begin();
    }
    await waitFor(
      'the document to be given up',
      async () => ((await stateOf('hangs.docx')).state === 'waiting' ? undefined : true),
      120_000,
    );
    expect(await stateOf('hangs.docx')).toMatchObject({ state: 'failed', reason: 'crashed' });
    await waitFor(
      'the other document to be read',
      async () => ((await stateOf('good.pdf')).state === 'indexed' ? true : undefined),
      120_000,
    );
  }, 600_000);
});
