import yauzl from 'yauzl';
import { allowForExamples, anyText, anyUtf16, fc, holds, mixtureOf } from '../../../test/support/properties';
import { safeFilename } from '../../platform/http/downloads';
import { parseMessage } from '../../platform/mime/parse-message';
import type { ExportedMail, MailContent } from './exported-mail';
import { exportFilename } from './mail-exports.service';
import { emlPath } from '../mails/eml-path';
import { zipOf } from './zip-writer';
import { ZIPS_HERE } from '../../../test/support/archive/zips-here';

allowForExamples();

const name = fc.oneof(
  mixtureOf(
    ['..', '/', '\\', '.', ' ', ':', '*', '?', '"', '<', '>', '|', 'CON', 'nul', 'COM1', 'com\u00b9', 'LPT9.txt', 'x', '\0', '\r\n', '\u202e',
      '\ud83d', '😀', 'é', 'e\u0301', '~', '%2e%2e%2f', '.eml', '\u2024', '\uff0f', 'x'.repeat(130)], // prettier-ignore
  ),
  anyUtf16(300),
  anyText(300),
);
const date = fc.oneof(fc.date({ noInvalidDate: false }), fc.constant(null));
const id = fc.uuid();

const DOS_DEVICE =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

/** Expects a part of a path that every file system and every program that unpacks can handle. */
function expectSafe(part: string, maxBytes: number): void {
  expect(part).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u);
  expect(part).not.toMatch(/^[. ]|[. ]$/);
  expect(part).not.toMatch(DOS_DEVICE);
  expect(Buffer.from(part).toString()).toBe(part);
  expect(part).not.toBe('');
  expect(Buffer.byteLength(part)).toBeLessThanOrEqual(maxBytes);
}

describe('the name of a mail in a ZIP', () => {
  it('should be a folder and a file that every operating system accepts, whatever the subject is', () => {
    holds(
      800,
      fc.property(id, name, date, (mailId, subject, day) => {
        const path = emlPath({ id: mailId, subject, date: day });
        const parts = path.split('/');
        expect(parts).toHaveLength(2);
        for (const part of parts) expectSafe(part, 200);
        expect(path).toMatch(/\.eml$/);
        expect(path.normalize('NFC')).toBe(path);
      }),
    );
  });

  it('should be unique in the ZIP, regardless of case', async () => {
    await holds(
      15,
      fc.asyncProperty(
        fc.array(fc.tuple(id, fc.constantFrom('', 'a', 'A', 'É', 'manifest.json')), {
          minLength: 2,
          maxLength: 12,
        }),
        async (mails) => {
          const batches = async function* (): AsyncGenerator<MailContent[]> {
            // The last eight letters of ids meet once in a while; here they always do.
            yield mails.map(([mailId, subject]) => ({
              mail: {
                id: `${mailId.slice(0, 28)}00000000`,
                subject,
                date: new Date(0),
                sha256: '',
                sender: '',
                messageId: mailId,
              } as ExportedMail,
              content: Buffer.from(subject),
            }));
          };
          const chunks: Buffer[] = [];
          for await (const pieces of zipOf(batches(), ZIPS_HERE, { compress: false })) chunks.push(...pieces);
          const names = await entriesOf(Buffer.concat(chunks));
          expect(names).toHaveLength(mails.length + 1);
          expect(new Set(names.map((entry) => entry.toLowerCase())).size).toBe(names.length);
        },
      ),
    );
  });
});

/** The names that another program reads; it refuses names that lead out of the folder. */
const entriesOf = (zip: Buffer): Promise<string[]> =>
  new Promise((resolve, reject) => {
    yauzl.fromBuffer(zip, { lazyEntries: false, strictFileNames: true }, (error, file) => {
      if (error) return reject(error);
      const names: string[] = [];
      file.on('entry', (entry: { fileName: string }) => names.push(entry.fileName));
      file.on('end', () => resolve(names));
      file.on('error', reject);
    });
  });

describe('the name of a download', () => {
  it('should be a single visible name without folders, whatever the sender named the file', () => {
    holds(
      800,
      fc.property(name, (given) => {
        const safe = safeFilename(given);
        expect(safe).not.toMatch(/[/\\\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u);
        expect(safe).not.toMatch(/^\./);
        expect(safe.trim()).not.toBe('');
        expect([...safe].length).toBeLessThanOrEqual(200);
        expect(safeFilename(safe)).toBe(safe);
      }),
    );
  });

  it('should be the date for whole exports', () => {
    holds(
      50,
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (now) => {
        expect(exportFilename('mbox', now)).toMatch(/^archive-export-\d{4}-\d\d-\d\d\.mbox$/);
      }),
    );
  });
});

describe('the name of an attachment', () => {
  it('should be one line of at most 255 bytes, without folders, however the part declares it', () => {
    holds(
      400,
      fc.property(name, fc.constantFrom('filename', 'filename*', 'name'), (given, parameter) => {
        const value =
          parameter === 'filename*'
            ? `utf-8''${Array.from(Buffer.from(given), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`
            : `"${Buffer.from(given)
                .toString('latin1')
                .replace(/["\\]/g, '\\$&')
                .replace(/[\r\n]/g, ' ')}"`;
        const head =
          parameter === 'name'
            ? `Content-Type: image/png; name=${value}`
            : `Content-Type: image/png\r\nContent-Disposition: attachment; ${parameter}=${value}`;
        const [part] = parseMessage(Buffer.from(`${head}\r\n\r\nx`, 'latin1')).attachments;
        const filename = part?.filename ?? '';
        expect(filename).not.toMatch(/[/\\\p{Cc}\p{Cs}]/u);
        expect(filename).not.toMatch(/^\.*$/);
        expect(filename.trim()).toBe(filename);
        expect(Buffer.byteLength(filename)).toBeLessThanOrEqual(255);
      }),
    );
  });
});
