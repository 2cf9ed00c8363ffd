import { createHash } from 'node:crypto';
import { simpleParser } from 'mailparser';
import { factsOf } from '../mime/message-facts';
import { GeneratedMessages } from './generated-messages';
import { KINDS } from './layout';

const options = { email: 'demo@sandbox.mailroom.test', seed: 3, count: 1500, endMs: Date.UTC(2025, 0, 1) };
const plain = (value: unknown): string => JSON.stringify(value).replace(/\\"/g, '');

describe('GeneratedMessages', () => {
  const sut = new GeneratedMessages(options);
  const all = Array.from({ length: sut.count }, (_, index) => index);

  it('should give the same bytes, ids and labels on every start', () => {
    const again = new GeneratedMessages(options);
    for (const index of [0, 1, 77, 640, 1499]) {
      expect(again.raw(index).equals(sut.raw(index))).toBe(true);
      expect(again.idOf(index)).toBe(sut.idOf(index));
      expect(again.initialLabels(index)).toEqual(sut.initialLabels(index));
    }
    const other = new GeneratedMessages({ ...options, seed: 4 });
    expect(other.raw(0).equals(sut.raw(0))).toBe(false);
  });

  it('should find an index by its id and nothing by a foreign one', () => {
    expect(all.every((index) => sut.indexOf(sut.idOf(index)) === index)).toBe(true);
    expect(new Set(all.map((index) => sut.idOf(index))).size).toBe(sut.count);
    expect(sut.idOf(0)).toMatch(/^[0-9a-f]{16}$/);
    expect(sut.indexOf('1234567890abcdef')).toBeUndefined();
    expect(sut.indexOf('zz')).toBeUndefined();
  });

  it('should know sizes and facts without making the bytes', () => {
    for (const index of all) {
      const raw = sut.raw(index);
      expect(sut.sizeOf(index)).toBe(raw.length);
      expect(plain(sut.factsOf(index))).toBe(plain(factsOf(raw)));
    }
  });

  it('should contain every kind, four ascending years of dates and threads that refer back', () => {
    const kinds = new Set(all.map((index) => sut.kindOf(index)));
    expect([...kinds].sort()).toEqual([...KINDS].sort());
    expect(all.slice(1).every((index) => sut.dateOf(index) > sut.dateOf(index - 1))).toBe(true);
    expect(options.endMs - sut.dateOf(0)).toBeGreaterThan(1400 * 86_400_000);
    expect(sut.dateOf(1499)).toBeLessThan(options.endMs);
    const reply = all.find((index) => sut.headOf(index) !== index) as number;
    const head = sut.factsOf(sut.headOf(reply));
    expect(sut.raw(reply).toString()).toContain(`References: <${head.messageId}>`);
    expect(sut.factsOf(reply).subject).toMatch(/^R[eE] ?: /);
  });

  it('should be readable by an independent parser, attachments and charsets included', async () => {
    const ofKind = (kind: string, at: number): number =>
      all.filter((index) => sut.kindOf(index) === kind)[at] as number;
    const receipt = await simpleParser(sut.raw(ofKind('receipt', 0)));
    expect(receipt.attachments[0]?.contentType).toBe('application/pdf');
    expect(receipt.attachments[0]?.filename).toBe(sut.factsOf(ofKind('receipt', 0)).attachmentNames[0]);
    expect(receipt.attachments[0]?.content.toString('latin1')).toMatch(/^%PDF-1\.7[^]*\(Total/);
    for (let at = 0; at < 8; at++) {
      const index = ofKind('charset', at);
      const mail = await simpleParser(sut.raw(index));
      expect(mail.subject).toBe(sut.factsOf(index).subject);
      expect(mail.text).not.toContain('\uFFFD');
    }
    const newsletters = all
      .filter((index) => sut.kindOf(index) === 'newsletter')
      .map((index) => sut.raw(index).toString());
    expect(newsletters.filter((raw) => raw.includes('List-Unsubscribe-Post')).length).toBeGreaterThan(20);
  });

  it('should keep near the mean size asked for', () => {
    const sized = new GeneratedMessages({ ...options, averageBytes: 40_000 });
    const total = all.reduce((sum, index) => sum + sized.sizeOf(index), 0);
    expect(total / all.length).toBeGreaterThan(32_000);
    expect(total / all.length).toBeLessThan(48_000);
  });

  it('should not change its bytes unnoticed: archives and tests rely on them', () => {
    const hash = createHash('sha256');
    for (const index of all.slice(0, 300)) hash.update(sut.raw(index));
    expect(hash.digest('hex')).toBe('eb0468bf6b8ec1e9862c3906a13cddb8923977580f26a4b8cfc28a6f05964c5b');
  });
});
