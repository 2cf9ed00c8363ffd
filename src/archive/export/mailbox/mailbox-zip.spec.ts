import { Readable } from 'node:stream';
import { unzip } from '../../../../test/support/archive/exports';
import { ZIPS_HERE } from '../../../../test/support/archive/zips-here';
import type { ExportedMail, MailContent } from '../exported-mail';
import { MAILBOX_FORMATS, type MailboxFormat, mailboxZip } from './mailbox-zip';

const mail = (id: string): ExportedMail => ({
  id,
  messageId: id,
  subject: 'Subject',
  sender: 'alice@example.com',
  date: new Date('2024-02-29T00:00:00Z'),
  receivedAt: null,
  dateSource: null,
  sizeBytes: 3,
  sha256: '',
  storage: 'local',
  storageKey: id,
  accountId: 'account',
  isEncrypted: false,
  rebuiltFrom: null,
  envelope: null,
});
const labelsOf = () => ({ system: ['INBOX'], names: [] });

async function* batchesOf(...batches: MailContent[][]): AsyncGenerator<MailContent[]> {
  yield* batches;
}

describe.each([...MAILBOX_FORMATS])('mailboxZip, %s', (format: MailboxFormat) => {
  const zipOf = (batches: AsyncIterable<MailContent[]>) =>
    mailboxZip(batches, ZIPS_HERE, format, labelsOf, []);

  it('should contain the same file whether a mail is read or streamed', async () => {
    const bytes = Buffer.from('Subject: x\r\n\r\nFrom here\r\n>From there');
    const files: Buffer[] = [];
    for (const content of [bytes, async () => Readable.from([bytes.subarray(0, 20), bytes.subarray(20)])]) {
      const pieces: Buffer[] = [];
      for await (const some of zipOf(batchesOf([{ mail: mail('one'), content }]))) pieces.push(...some);
      const { entries } = await unzip(Buffer.concat(pieces));
      const { mails } = JSON.parse(entries.get('labels.json')!.toString()) as { mails: { file: string }[] };
      files.push(entries.get(mails[0]!.file)!);
    }
    expect(files[0]!.includes('here')).toBe(true);
    expect(files[1]).toEqual(files[0]);
  });

  it('should close the open file when the reader goes away', async () => {
    const content = new Readable({ read: () => undefined });
    const zip = zipOf(batchesOf([{ mail: mail('endless'), content: async () => content }]));
    content.push(Buffer.alloc(10));
    await zip.next();
    await zip.return(undefined);
    expect(content.destroyed).toBe(true);
  });

  it('should fail when a content fails halfway', async () => {
    const failing = Readable.from(
      (async function* () {
        yield Buffer.alloc(100_000);
        throw new Error('disk failure');
      })(),
    );
    const zip = zipOf(batchesOf([{ mail: mail('broken'), content: async () => failing }]));
    const readAll = async (): Promise<void> => {
      while (!(await zip.next()).done);
    };
    await expect(readAll()).rejects.toThrow('disk failure');
  });
});
