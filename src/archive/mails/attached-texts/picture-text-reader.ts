import { Injectable } from '@nestjs/common';
import {
  DOCUMENT_LIMITS,
  type DocumentPage,
  type DocumentReading,
  type UnreadPicture,
} from '../../../platform/documents/document-text';
import { AttachedTextIndexer, type CompletedText, withoutText } from './attached-text-indexer';
import type { AttachedText, WaitingAttachment } from './attached-texts.repository';
import { AttachmentContents } from './attachment-content';
import { DocumentCrashed, DocumentsUnreadable, MAX_ATTEMPTS } from './attachment-text-reader';
import { DocumentReader } from './document-reader';
import { PictureRecognizer } from './picture-recognizer';
import { RecognitionProgress, type RecognizedPictures } from './recognition-progress';

/** Most pictures of an attachment that are read. */
export const MAX_PICTURES = 100;
/** Pixels of the largest picture that is read: its memory is limited. */
const MAX_PIXELS = 40_000_000;

/** The time of the step is over before all pictures have been read. */
export class RecognitionUnfinished extends Error {}

/** Reads the text of pictures in attachments whose other text is known. */
@Injectable()
export class PictureTextReader {
  private readonly progress = new RecognitionProgress();

  constructor(
    private readonly contents: AttachmentContents,
    private readonly documents: DocumentReader,
    private readonly recognizer: PictureRecognizer,
    private readonly indexer: AttachedTextIndexer,
  ) {}

  /**
   * Reads an attachment within a turn of `PictureRecognizer`.
   * @param attempts readings that have begun, with this one
   * @param until when the step ends
   * @throws RecognitionUnfinished: the next call goes on; DocumentsUnreadable; DocumentCrashed, unless it was the last attempt; the
   *   errors of `AttachmentContents.read`
   */
  async read(
    userId: string,
    attachment: WaitingAttachment,
    attempts: number,
    until: number,
    signal: AbortSignal,
  ): Promise<AttachedText> {
    const { sha256, length, bytes } = await this.contents.read(userId, attachment, signal);
    if (length !== attachment.sizeBytes) return withoutText('failed', 'altered');
    if (bytes === null) return withoutText('too-large', 'size-limit', sha256);
    const outcome = await this.documents.takeTurn(
      userId,
      () => this.documents.read(attachment, bytes, signal, true),
      signal,
    );
    if (outcome.kind === 'missing') throw new DocumentsUnreadable(outcome.reason);
    if (outcome.kind === 'crashed') {
      if (attempts < MAX_ATTEMPTS) throw new DocumentCrashed(outcome.reason);
      return withoutText('failed', 'crashed', sha256);
    }
    const progress = this.progress.of(attachment.id, sha256.toString('hex'));
    const text = await this.recognizeAll(outcome.reading, bytes, progress, { attempts, until, signal });
    const indexed = await this.indexer.indexCompleted(sha256, text);
    this.progress.end(attachment.id);
    return indexed;
  }

  private async recognizeAll(
    reading: DocumentReading,
    document: Buffer,
    progress: RecognizedPictures,
    { attempts, until, signal }: { attempts: number; until: number; signal: AbortSignal },
  ): Promise<CompletedText> {
    const { texts } = progress;
    const { pictures } = reading;
    let room = texts.reduce((left, text) => left - text.length, DOCUMENT_LIMITS.maxText);
    for (const picture of pictures.slice(texts.length, MAX_PICTURES)) {
      if (room <= 0) break;
      if (Date.now() > until) throw new RecognitionUnfinished();
      const content = contentOf(picture, reading, document);
      const text = await this.recognizeOne(picture, content, progress, attempts, signal);
      texts.push(text.slice(0, room));
      room -= text.length;
    }
    let problem: CompletedText['problem'] = reading.problem;
    if (room <= 0) problem ??= { state: 'too-large', reason: 'text-limit' };
    if (pictures.length > MAX_PICTURES || pictures.some(isTooLarge))
      problem ??= { state: 'too-large', reason: 'picture-limit' };
    if (progress.problem) problem ??= { state: 'failed', reason: progress.problem };
    return { pages: pagesWith(reading, texts), problem, recognized: texts.filter((text) => text !== '') };
  }

  private async recognizeOne(
    picture: UnreadPicture,
    bytes: Buffer,
    progress: RecognizedPictures,
    attempts: number,
    signal: AbortSignal,
  ): Promise<string> {
    if (isTooLarge(picture)) return '';
    const { isPdf, page } = picture;
    const outcome = await this.recognizer.recognize({ bytes, isPdf, page }, signal);
    if (outcome.kind === 'recognized') return outcome.text;
    if (outcome.kind === 'crashed' && attempts < MAX_ATTEMPTS) throw new DocumentCrashed(outcome.reason);
    progress.problem ??= outcome.kind === 'crashed' ? 'crashed' : 'picture-damaged';
    return '';
  }
}

const isTooLarge = ({ pixels }: UnreadPicture): boolean => pixels > MAX_PIXELS;

const contentOf = ({ file }: UnreadPicture, { pictureFiles }: DocumentReading, document: Buffer): Buffer =>
  file === null ? document : Buffer.from(pictureFiles[file]!, 'base64');

/** The pages with the texts of pictures in their places; that of a page with a text follows it. */
function pagesWith({ pages, pictures }: DocumentReading, texts: readonly string[]): DocumentPage[] {
  const all: DocumentPage[] = [];
  let next = 0;
  for (let at = 0; at <= pages.length; at += 1) {
    const page = pages[at];
    const added: string[] = [];
    for (; next < pictures.length && pictures[next]!.at <= at; next += 1) {
      const { place } = pictures[next]!;
      const text = texts[next] ?? '';
      if (text === '') continue;
      if (page && isSamePlace(page, place)) added.push(text);
      else all.push({ ...place, text });
    }
    if (page) all.push({ ...page, text: [page.text, ...added].join('\n') });
  }
  return all;
}

const isSamePlace = (page: DocumentPage, place: UnreadPicture['place']): boolean =>
  page.member === place.member && page.kind === place.kind && page.name === place.name;
