import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  RECOGNITION_LIMITS,
  type RecognitionLimits,
  TextRecognition,
} from '../../../../src/platform/documents/pictures/text-recognition';
import { pdfWithPages } from '../../../support/archive/pdf-file';

const never = new AbortController().signal;
const fixture = (name: string): Buffer =>
  readFileSync(join(__dirname, '../../../fixtures/documents/pictures', name));
const sut = (limits: Partial<RecognitionLimits> = {}, languages = 'eng+fra'): TextRecognition =>
  new TextRecognition(languages, { ...RECOGNITION_LIMITS, ...limits });
const picture = (name: string, page = 1): Parameters<TextRecognition['recognize']>[0] => ({
  bytes: fixture(name),
  isPdf: false,
  page,
});

describe('TextRecognition', () => {
  it.each([
    ['receipt.png', 1, 'Repair of a copper pipe: 86.40 pounds'],
    ['warranty.jpg', 1, 'The warranty ends in November 2028.'],
    ['receipt.tif', 1, 'Receipt of Rossignol, plumbers in Whitby'],
    ['receipt.tif', 2, 'Please keep this receipt for the insurance.'],
  ])('should recognize the text of %s, page %i', async (name, page, text) => {
    const outcome = await sut().recognize(picture(name, page), never);
    expect(outcome).toMatchObject({ kind: 'recognized', text: expect.stringContaining(text) });
  });

  it('should recognize the page of a PDF', async () => {
    const bytes = pdfWithPages([{ text: 'letters' }, { jpeg: fixture('warranty.jpg') }]);
    expect(await sut().recognize({ bytes, isPdf: true, page: 2 }, never)).toMatchObject({
      kind: 'recognized',
      text: expect.stringContaining('The warranty ends'),
    });
  });

  it('should say what is missing on the machine', async () => {
    expect(await sut().findMissing(never)).toBeNull();
    expect(await sut({}, 'eng+xyz_abc').findMissing(never)).toBe(
      'languages of tesseract: xyz_abc (packages tesseract-ocr-xyz-abc)',
    );
  });

  it('should refuse broken files', async () => {
    const png = fixture('receipt.png').subarray(0, 2_000);
    expect((await sut().recognize({ bytes: png, isPdf: false, page: 1 }, never)).kind).toBe('refused');
    const pdf = Buffer.from('%PDF-1.7 and nothing else');
    expect((await sut().recognize({ bytes: pdf, isPdf: true, page: 1 }, never)).kind).toBe('refused');
  });

  it('should read no file that a picture names', async () => {
    const list = Buffer.from(`${join(__dirname, '../../../fixtures/documents/pictures/receipt.png')}\n`);
    expect(await sut().recognize({ bytes: list, isPdf: false, page: 1 }, never)).not.toMatchObject({
      text: expect.stringContaining('copper'),
    });
  });

  it('should kill a program that takes too long, answers too much, or wants too much memory', async () => {
    const late = await sut({ maxRecognizeMs: 1 }).recognize(picture('receipt.png'), never);
    expect(late).toEqual({ kind: 'crashed', reason: 'it did not end in time' });
    const long = await sut({ maxAnswerBytes: 10 }).recognize(picture('receipt.png'), never);
    expect(long).toEqual({ kind: 'crashed', reason: 'its answer is too long' });
    const large = await sut({ maxDataBytes: 30 * 1024 * 1024 }).recognize(picture('receipt.png'), never);
    expect(['crashed', 'refused', 'missing']).toContain(large.kind);
  });

  it('should stop when its work is interrupted', async () => {
    const interruption = new AbortController();
    const reading = sut().recognize(picture('receipt.png'), interruption.signal);
    interruption.abort(new Error('the service stops'));
    await expect(reading).rejects.toThrow('the service stops');
  });
});
