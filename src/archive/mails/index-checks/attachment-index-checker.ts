import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config';
import { ObjectMissing, isDamage } from '../../files/archive-store.errors';
import {
  AttachmentTextReader,
  DocumentCrashed,
  DocumentsUnreadable,
} from '../attached-texts/attachment-text-reader';
import {
  AttachedTextsRepository,
  type AttachedText,
  type WaitingAttachment,
} from '../attached-texts/attached-texts.repository';
import { DocumentReader } from '../attached-texts/document-reader';
import type { LocatedMail } from '../mail-content-reader';
import type { ArchiveOwner } from '../writing/mail-to-archive';
import { IndexHealer } from './index-healer';
import { IndexSearch } from './index-search';
import { pickWords } from './picked-words';

const MIB = 1024 * 1024;
/** Largest attachment that is read once more for a check. */
const MAX_BYTES = 8 * MIB;
/** Words that a page is searched by. */
const WORDS = 3;

/** Checks whether the index has of an attachment what its file has. */
@Injectable()
export class AttachmentIndexChecker {
  constructor(
    private readonly texts: AttachedTextsRepository,
    private readonly reader: AttachmentTextReader,
    private readonly documents: DocumentReader,
    private readonly search: IndexSearch,
    private readonly healer: IndexHealer,
    private readonly config: AppConfig,
  ) {}

  /**
   * Reads an indexed attachment of a mail once more, and searches for words of one of its pages, in files and anywhere.
   * @returns null: the mail has none, or it cannot be read at the moment
   */
  async check(
    owner: ArchiveOwner,
    mail: LocatedMail,
    signal: AbortSignal,
  ): Promise<'found' | 'missed' | null> {
    if (!this.config.jobs.readAttachments) return null;
    const attachment = await this.texts.findAnyIndexed(mail, MAX_BYTES);
    if (attachment === null) return null;
    const text = await this.read(owner, attachment, signal);
    if (text === null) return null;
    const pages = text.pages.filter((page) => page.text.trim() !== '');
    // Its text is that of pictures, which are not read once more.
    if (pages.length === 0) return null;
    const page = pages[Math.floor(Math.random() * pages.length)]!;
    const words = pickWords(page.text, WORDS).map((word) => `"${word}"`);
    if (words.length === 0) return 'found';
    const q = [...words, ...words.map((word) => `file:${word}`)].join(' ');
    if (!(await this.search.misses(mail, q))) return 'found';
    return (await this.healer.healPlain(owner, mail, q, attachment.id)) ? 'missed' : 'found';
  }

  /** @returns null: it could not be read at the moment */
  private async read(
    { userId }: ArchiveOwner,
    attachment: WaitingAttachment,
    signal: AbortSignal,
  ): Promise<AttachedText | null> {
    try {
      return await this.documents.takeTurn(
        userId,
        () => this.reader.read(userId, attachment, 1, signal),
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DocumentsUnreadable || error instanceof DocumentCrashed) return null;
      if (error instanceof ObjectMissing || isDamage(error)) return null;
      throw error;
    }
  }
}
