import { readFileSync } from 'node:fs';
import { simpleParser } from 'mailparser';
import { htmlToText } from '../../../../src/platform/mime/html-text';
import { type ReadFiles, type Reading, tidy, toDate, wordsOf } from './reading';

/** mailparser, which many services in Node use. */
export const readWithMailparser: ReadFiles = async (paths) => {
  const readings: (Reading | null)[] = [];
  for (const path of paths) readings.push(await readOne(readFileSync(path)));
  return readings;
};

async function readOne(raw: Buffer): Promise<Reading | null> {
  const parsed = await simpleParser(raw, {
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
  }).catch(() => null);
  if (!parsed) return null;
  const text = parsed.text ?? (parsed.html === false ? '' : htmlToText(parsed.html, 1_000_000));
  return {
    subject: tidy(parsed.subject ?? ''),
    sender: (parsed.from?.value[0]?.address ?? '').toLowerCase(),
    date: toDate(parsed.date),
    files: parsed.attachments.flatMap(({ filename, size }) =>
      filename ? [[tidy(filename), size] as const] : [],
    ),
    text: wordsOf(text),
  };
}
