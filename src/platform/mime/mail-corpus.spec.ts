import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simpleParser, type ParsedMail } from 'mailparser';
import { parseMessage, type ParsedMessage } from './parse-message';
import { transferDecoder } from './transfer-decoder';

const CORPUS = join(__dirname, '../../../../shared/data/eml');
const describeCorpus = existsSync(CORPUS) ? describe : describe.skip;

/** Shares of the corpus on which both parsers must agree; the rest differs for reasons looked at one by one. */
const EXPECTED_SUBJECTS = 0.85;
/** Files in winmail.dat, in signed content and in uuencoded text are listed here, and not by mailparser. */
const EXPECTED_ATTACHMENTS = 0.89;

const files = (): string[] =>
  readdirSync(CORPUS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.eml'))
    .sort();

const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');

function contents(raw: Buffer, parsed: ParsedMessage): Buffer[] {
  return parsed.attachments.map((part) => {
    const decoder = transferDecoder(part.encoding);
    return Buffer.concat([decoder.write(raw.subarray(part.bodyStart, part.bodyEnd)), decoder.end()]);
  });
}

const oracle = (raw: Buffer): Promise<ParsedMail> =>
  simpleParser(raw, {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
  });

describeCorpus('parsing real and unusual mail', () => {
  it('should give every attachment its exact size and range', () => {
    let attachments = 0;
    for (const name of files()) {
      const raw = readFileSync(join(CORPUS, name));
      const parsed = parseMessage(raw);
      expect(parsed).toMatchObject({ sha256: sha256(raw), sizeBytes: raw.length });
      const decoded = contents(raw, parsed);
      expect([name, decoded.map((content) => content.length)]).toEqual([
        name,
        parsed.attachments.map((part) => part.sizeBytes),
      ]);
      attachments += decoded.length;
    }
    expect(attachments).toBeGreaterThan(100);
  });

  it('should agree with mailparser on subjects and on the bytes of attachments', async () => {
    const names = files();
    let subjects = 0;
    let sameAttachments = 0;
    for (const name of names) {
      const raw = readFileSync(join(CORPUS, name));
      const ours = parseMessage(raw);
      const theirs = await oracle(raw);
      if (ours.subject === (theirs.subject ?? '').replace(/\s+/g, ' ').trim()) subjects++;
      const ourHashes = contents(raw, ours).map(sha256);
      const theirHashes = theirs.attachments.map((attachment) => sha256(attachment.content));
      if (ourHashes.join() === theirHashes.join()) sameAttachments++;
    }
    expect(subjects / names.length).toBeGreaterThanOrEqual(EXPECTED_SUBJECTS);
    expect(sameAttachments / names.length).toBeGreaterThanOrEqual(EXPECTED_ATTACHMENTS);
  });
});
