import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKeyPair, signatureOf } from '../../keep/offload/keys/signatures';
import {
  itemLine,
  RECEIPT_FORMAT,
  type ReceiptItem,
  type ReceiptStatement,
} from '../../keep/offload/receipts/receipt';
import { verifyReceipt } from './receipt-command';

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const MAILS = ['From: a@x.test\r\n\r\nOne\r\n', 'From: b@x.test\r\n\r\nTwo\r\n'];
const ITEMS: readonly ReceiptItem[] = MAILS.map((mail, n) => ({
  messageId: `m${n}`,
  messageIdHeader: null,
  sha256: sha256(mail),
  size: mail.length,
  mailId: `mail${n}`,
  verifiedAt: '2026-01-01T00:00:00.000Z',
  comparedAt: null,
  trashedAt: '2026-01-01T00:00:01.000Z',
}));
const LINES = ITEMS.map(itemLine).join('');
const STATEMENT: ReceiptStatement = {
  format: RECEIPT_FORMAT,
  installation: 'i',
  account: { id: 'account', address: 'me@x.test' },
  plan: 'plan',
  mode: 'strict',
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:00:02.000Z',
  historyIds: { from: '1', to: '2' },
  counts: { selected: 3, trashed: 2, blocked: 1, left: 0 },
  blockedBy: { starred: 1 },
  bytes: 10,
  items: { count: 2, sha256: sha256(LINES) },
  previous: null,
};

describe('receipt:verify', () => {
  const pair = newKeyPair();
  let folder: string;
  let printed: string[];

  beforeEach(async () => {
    printed = [];
    folder = await mkdtemp(join(tmpdir(), 'mailroom-receipt-'));
    const statement = JSON.stringify(STATEMENT);
    const signature = signatureOf(statement, pair.privateKey);
    await mkdir(join(folder, 'eml', 'deep'), { recursive: true });
    await Promise.all([
      write('receipt.json', JSON.stringify({ statement, signature, keyId: pair.keyId })),
      write('key.pem', pair.publicKey),
      write('items.ndjson', LINES),
      write('eml/one.eml', MAILS[0]!),
      write('eml/deep/two.eml', MAILS[1]!),
    ]);
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  const verify = (options: Parameters<typeof verifyReceipt>[1] = {}): Promise<void> =>
    verifyReceipt(join(folder, 'receipt.json'), options, (line) => void printed.push(line));
  const all = (): { key: string; items: string; eml: string } => ({
    key: join(folder, 'key.pem'),
    items: join(folder, 'items.ndjson'),
    eml: join(folder, 'eml'),
  });

  it('should check signature, items and mails', async () => {
    await verify(all());
    expect(printed).toEqual([
      'Signed: 2 of 3 messages of me@x.test were moved to the trash from 2026-01-01T00:00:00.000Z to ' +
        '2026-01-01T00:00:02.000Z (strict), plan plan.',
      'Items: all 2 are those of the statement.',
      `Mails: all 2 are in ${join(folder, 'eml')}, byte by byte.`,
    ]);
  });

  it('should report that nothing is proved without a key', async () => {
    await expect(verify({ items: all().items })).rejects.toMatchObject({ exitCode: 2 });
  });

  it('should refuse a forged statement, signature and key', async () => {
    const { key } = all();
    const statement = JSON.stringify(STATEMENT);
    const signature = signatureOf(statement, pair.privateKey);
    const more = JSON.stringify({ ...STATEMENT, counts: { ...STATEMENT.counts, trashed: 3 } });
    await write('receipt.json', JSON.stringify({ statement: more, signature, keyId: pair.keyId }));
    await expect(verify({ key })).rejects.toThrow('one of the two was altered');
    const other = newKeyPair();
    const forged = { statement: more, signature: signatureOf(more, other.privateKey), keyId: other.keyId };
    await write('receipt.json', JSON.stringify(forged));
    await expect(verify({ key })).rejects.toThrow(`was signed with the key ${other.keyId}`);
    await write('receipt.json', '{"statement":"{}","signature":"","keyId":""}');
    await expect(verify({ key })).rejects.toThrow('has no statement');
    await write('receipt.json', 'nothing');
    await expect(verify({ key })).rejects.toThrow('is not a receipt');
  });

  it('should refuse items that differ by one byte, are fewer or missing', async () => {
    await write('items.ndjson', LINES.replace('m1', 'm2'));
    await expect(verify(all())).rejects.toMatchObject({ exitCode: 1 });
    await write('items.ndjson', itemLine(ITEMS[0]!));
    await expect(verify(all())).rejects.toThrow('does not hold the items');
    await rm(all().items);
    await expect(verify(all())).rejects.toThrow('ENOENT');
  });

  it('should name mails that are altered or missing', async () => {
    await write('eml/one.eml', MAILS[0]!.replace('One', 'Ohe'));
    await expect(verify(all())).rejects.toMatchObject({ exitCode: 2 });
    expect(printed.at(-1)).toBe(`Missing: m0, SHA-256 ${ITEMS[0]!.sha256}`);
    await rm(join(folder, 'eml', 'deep'), { recursive: true });
    await expect(verify(all())).rejects.toMatchObject({ exitCode: 1 });
  });
});
