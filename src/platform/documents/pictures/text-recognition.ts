import { runConfined, type ConfinedOutcome } from '../../confinement/run-confined';
import { recognizedText } from './recognized-text';

const MIB = 1024 * 1024;
/** Folders of programs and their libraries, fonts and languages. */
const READABLE = [
  '/usr', '/lib', '/lib64', '/bin', '/etc/ld.so.cache', '/etc/fonts', '/var/cache/fontconfig',
]; // prettier-ignore
/** tesseract would start a thread for each core. */
const ENVIRONMENT = { OMP_THREAD_LIMIT: '1' };
/** Longer side in pixels of the picture of a page: an A4 page has 300 dots an inch. */
const PAGE_PIXELS = 3_508;
/** Finds the direction of the text too (tesseract's "automatic page segmentation with orientation and script detection"). */
const SEGMENTATION = '1';

/** Limits of a program that reads a picture. */
export const RECOGNITION_LIMITS = {
  maxDataBytes: 512 * MIB,
  maxCpuSeconds: 60,
  /** Time for the picture of a PDF page, and for the text of a picture, in milliseconds. */
  maxRenderMs: 10_000,
  maxRecognizeMs: 30_000,
  /** A page in shades of grey. */
  maxPictureBytes: PAGE_PIXELS * PAGE_PIXELS + 1_024,
  /** Table of words of a page. */
  maxAnswerBytes: 4 * MIB,
};
export type RecognitionLimits = typeof RECOGNITION_LIMITS;

/** A page to recognize: of a PDF, or a picture. Pages count from 1 on. */
export interface PageToRecognize {
  readonly bytes: Buffer;
  readonly isPdf: boolean;
  readonly page: number;
}

export type RecognitionOutcome =
  | { readonly kind: 'recognized'; readonly text: string }
  | Exclude<ConfinedOutcome, { readonly kind: 'ended' }>;

/**
 * Recognizes the text of pictures with tesseract, and makes pictures of PDF pages with poppler's pdftoppm. Each page has processes of
 * its own, which have limits, no network, and read nothing but system files; see ADR 124.
 */
export class TextRecognition {
  /** @param languages as tesseract wants them, e.g. `eng+fra` */
  constructor(
    private readonly languages: string,
    private readonly limits: RecognitionLimits = RECOGNITION_LIMITS,
  ) {}

  /** @returns what is missing on this machine; null: nothing */
  async findMissing(signal: AbortSignal): Promise<string | null> {
    const renderer = await this.run(['pdftoppm', '-v'], Buffer.alloc(0), 'render', signal);
    if (renderer.kind !== 'ended') return `pdftoppm (package poppler-utils): ${renderer.reason}`;
    const list = await this.run(['tesseract', '--list-langs'], Buffer.alloc(0), 'recognize', signal);
    if (list.kind !== 'ended') return `tesseract (package tesseract-ocr): ${list.reason}`;
    const installed = new Set(list.output.toString('utf8').split(/\s+/));
    const missing = [...this.languages.split('+'), 'osd'].filter((language) => !installed.has(language));
    return missing.length === 0
      ? null
      : `languages of tesseract: ${missing.join(', ')} (packages ${missing.map(packageOf).join(', ')})`;
  }

  /** @throws the signal's reason */
  async recognize({ bytes, isPdf, page }: PageToRecognize, signal: AbortSignal): Promise<RecognitionOutcome> {
    const picture = isPdf
      ? await this.run(
          [
            'pdftoppm',
            '-gray',
            '-scale-to',
            String(PAGE_PIXELS),
            '-f',
            String(page),
            '-l',
            String(page),
            '-',
          ],
          bytes,
          'render',
          signal,
        )
      : null;
    if (picture && picture.kind !== 'ended') return picture;
    const answer = await this.run(
      [
        'tesseract', 'stdin', 'stdout', '-l', this.languages, '--psm', SEGMENTATION,
        // A picture of a page has one page.
        '-c', `tessedit_page_number=${picture ? 0 : page - 1}`, 'tsv',
      ], // prettier-ignore
      picture ? picture.output : bytes,
      'recognize',
      signal,
    );
    if (answer.kind !== 'ended') return answer;
    return { kind: 'recognized', text: recognizedText(answer.output.toString('utf8')) };
  }

  private run(
    program: readonly string[],
    input: Buffer,
    step: 'render' | 'recognize',
    signal: AbortSignal,
  ): Promise<ConfinedOutcome> {
    const { maxDataBytes, maxCpuSeconds, maxRenderMs, maxRecognizeMs, maxPictureBytes, maxAnswerBytes } =
      this.limits;
    return runConfined(
      {
        program,
        confinement: { maxDataBytes, maxCpuSeconds, readable: READABLE, isAlone: true },
        input,
        maxMs: step === 'render' ? maxRenderMs : maxRecognizeMs,
        maxOutputBytes: step === 'render' ? maxPictureBytes : maxAnswerBytes,
        environment: ENVIRONMENT,
      },
      signal,
    );
  }
}

/** Debian's package of a language. */
const packageOf = (language: string): string =>
  `tesseract-ocr-${language.toLowerCase().replaceAll('_', '-')}`;
