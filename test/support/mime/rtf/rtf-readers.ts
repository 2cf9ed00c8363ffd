import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode } from 'iconv-lite';
import { deEncapsulateSync } from 'rtf-stream-parser';
import { htmlToText } from '../../../../src/platform/mime/html-text';
import { rtfToText } from '../../../../src/platform/mime/tnef/rtf-text';
import { wordsOf } from '../readers/reading';

const MAX_TEXT = 1024 * 1024;

/** Reads the words that a document shows. @returns null when the reader does not read it */
export type ReadRtf = (rtf: Buffer) => string[] | null;

const ofHtml = (html: string): string[] => wordsOf(htmlToText(html, MAX_TEXT));

/** Our reader, which opens winmail.dat. */
export const readWithOurs: ReadRtf = (rtf) => {
  const { kind, text } = rtfToText(rtf);
  return kind === 'html' ? ofHtml(text) : wordsOf(text);
};

/** The library by which Outlook files are imported; it reads only what was wrapped in RTF. */
export const readWithStreamParser: ReadRtf = (rtf) => {
  try {
    const { mode, text } = deEncapsulateSync(rtf, { decode, mode: 'either', replaceSymbolFontChars: true });
    return mode === 'html' ? ofHtml(text.toString()) : wordsOf(text.toString());
  } catch {
    return null;
  }
};

/** Debian's unrtf, which shows the RTF and knows nothing of what is wrapped in it. */
export const readWithUnrtf: ReadRtf = (rtf) => {
  const scratch = mkdtempSync(join(tmpdir(), 'unrtf-'));
  try {
    const path = join(scratch, 'document.rtf');
    writeFileSync(path, rtf);
    const html = execFileSync('unrtf', ['--html', path], { stdio: ['ignore', 'pipe', 'ignore'] });
    return ofHtml(html.toString());
  } finally {
    rmSync(scratch, { recursive: true });
  }
};

export const hasUnrtf = (): boolean => {
  try {
    execFileSync('unrtf', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
