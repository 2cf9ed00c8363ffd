/** The kind of place that a text has in a document. */
export const PLACE_KINDS = ['page', 'slide', 'sheet'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** The place of a text in a document. */
export interface TextPlace {
  /** Path of the file within archives and messages, e.g. `2024/contract.pdf`; null: the document itself. */
  readonly member: string | null;
  /** Null: the text has no pages. */
  readonly kind: PlaceKind | null;
  /** Number of the page or slide, or name of the sheet; null: the text has no pages. */
  readonly name: string | null;
}

/** The text of a page, slide or sheet, or of a file that has none. */
export interface DocumentPage extends TextPlace {
  readonly text: string;
}

/** A picture whose text is not known: a page of a PDF that has no text, or a file. */
export interface UnreadPicture {
  readonly place: TextPlace;
  /** Number of the pages with text that stand before it. */
  readonly at: number;
  readonly isPdf: boolean;
  /** Page of the PDF or TIFF file, from 1 on. */
  readonly page: number;
  readonly pixels: number;
  /** Which of the files with pictures it is in; null: it is the document itself. */
  readonly file: number | null;
}

/** Reasons why some of a document is not read. */
export const DOCUMENT_REASONS = {
  failed: ['damaged', 'member-damaged', 'picture-damaged'],
  'too-large': [
    'text-limit',
    'time-limit',
    'unpacked-limit',
    'nesting-limit',
    'member-limit',
    'picture-limit',
  ],
  encrypted: ['password'],
} as const;

/** Text of a document that could be read, and why the rest could not. */
export interface DocumentReading {
  readonly pages: readonly DocumentPage[];
  /** Null: all of it was read. */
  readonly problem: DocumentProblem | null;
  readonly pictures: readonly UnreadPicture[];
  /** Contents of the files with pictures that are within the document, in base64; empty: they are not wanted. */
  readonly pictureFiles: readonly string[];
}

export type DocumentProblem = {
  [State in keyof typeof DOCUMENT_REASONS]: {
    readonly state: State;
    readonly reason: (typeof DOCUMENT_REASONS)[State][number];
  };
}[keyof typeof DOCUMENT_REASONS];

/** A document, or a part of it, cannot be read. */
export class DocumentUnread extends Error {
  constructor(readonly problem: DocumentProblem) {
    super(`${problem.state}: ${problem.reason}`);
    this.name = 'DocumentUnread';
  }
}

export const damaged = (): DocumentUnread => new DocumentUnread({ state: 'failed', reason: 'damaged' });
export const protectedByPassword = (): DocumentUnread =>
  new DocumentUnread({ state: 'encrypted', reason: 'password' });

/** Limits of one document with everything in it. */
export interface DocumentLimits {
  /** UTF-16 units of text. */
  readonly maxText: number;
  /** Bytes of all that is unpacked. */
  readonly maxUnpacked: number;
  /** Bytes of one member of an archive that is unpacked into memory. */
  readonly maxMember: number;
  readonly maxMembers: number;
  /** Archives and messages in each other. */
  readonly maxDepth: number;
  /** Pictures without text; further ones are not listed. */
  readonly maxPictures: number;
  /** Bytes of all files with pictures that are within the document. */
  readonly maxPictureBytes: number;
  /** Time in milliseconds after which the rest is left out. */
  readonly maxMs: number;
}

const MIB = 1024 * 1024;

export const DOCUMENT_LIMITS: DocumentLimits = {
  maxText: 4 * MIB,
  maxUnpacked: 256 * MIB,
  maxMember: 64 * MIB,
  maxMembers: 10_000,
  maxDepth: 4,
  maxPictures: 1_000,
  maxPictureBytes: 16 * MIB,
  maxMs: 20_000,
};

/** Limits that end the reading of one member, while the others are read. */
const OF_MEMBER: ReadonlySet<string> = new Set(['nesting-limit', 'member-limit', 'picture-limit']);

/** Collects the text of a document within its limits. */
export class DocumentText {
  readonly pages: DocumentPage[] = [];
  readonly pictures: UnreadPicture[] = [];
  private readonly filesWithPictures = new Map<Buffer, number>();
  private pictureBytes = 0;
  /** Problem of the first member that could not be read. */
  problemOfMember: DocumentProblem | null = null;
  private length = 0;
  private unpacked = 0;
  private members = 0;
  private readonly endsAt: number;

  /** @param wantsPictures whether the contents of files with pictures are wanted */
  constructor(
    readonly limits: DocumentLimits,
    private readonly wantsPictures: boolean,
  ) {
    this.endsAt = performance.now() + limits.maxMs;
  }

  /** Adds the text of a place. @throws DocumentUnread when it is cut */
  add(place: TextPlace, text: string): void {
    const room = this.limits.maxText - this.length;
    // A lone surrogate cannot be stored.
    const kept = text
      .slice(0, room)
      .replaceAll('\0', ' ')
      .replace(/\p{Surrogate}/gu, '\ufffd')
      .trim();
    if (kept !== '') this.pages.push({ ...place, text: kept });
    this.length += text.length;
    if (text.length > room) throw new DocumentUnread({ state: 'too-large', reason: 'text-limit' });
    this.checkTime();
  }

  /**
   * Adds a picture whose text is not known; that of a page stands before the page itself.
   * @throws DocumentUnread when the files with pictures are too large together
   */
  addPicture(
    file: { readonly bytes: Buffer; readonly depth: number },
    picture: Omit<UnreadPicture, 'at' | 'file'>,
  ): void {
    if (this.pictures.length >= this.limits.maxPictures) return;
    const index = file.depth === 0 ? null : this.indexOfFile(file.bytes);
    this.pictures.push({ ...picture, at: this.pages.length, file: index });
  }

  /** Contents of the files with pictures in base64. */
  get pictureFiles(): string[] {
    return this.wantsPictures
      ? [...this.filesWithPictures.keys()].map((bytes) => bytes.toString('base64'))
      : [];
  }

  private indexOfFile(bytes: Buffer): number {
    const known = this.filesWithPictures.get(bytes);
    if (known !== undefined) return known;
    this.pictureBytes += bytes.length;
    if (this.pictureBytes > this.limits.maxPictureBytes)
      throw new DocumentUnread({ state: 'too-large', reason: 'picture-limit' });
    this.filesWithPictures.set(bytes, this.filesWithPictures.size);
    return this.filesWithPictures.size - 1;
  }

  /** UTF-16 units that are still wanted. */
  get room(): number {
    return Math.max(0, this.limits.maxText - this.length);
  }

  /**
   * Notes why a member could not be read, which does not keep the others from being read.
   * @throws DocumentUnread when it is a limit of the whole document
   */
  skipMember(problem: DocumentProblem): void {
    if (problem.state === 'too-large' && !OF_MEMBER.has(problem.reason)) throw new DocumentUnread(problem);
    this.problemOfMember ??=
      problem.state === 'failed' ? { state: 'failed', reason: 'member-damaged' } : problem;
  }

  /** Counts unpacked bytes. @throws DocumentUnread beyond the limit */
  countUnpacked(bytes: number): void {
    this.unpacked += bytes;
    if (this.unpacked > this.limits.maxUnpacked)
      throw new DocumentUnread({ state: 'too-large', reason: 'unpacked-limit' });
    this.checkTime();
  }

  /** Counts a member of an archive. @throws DocumentUnread beyond the limit */
  countMember(): void {
    this.members += 1;
    if (this.members > this.limits.maxMembers)
      throw new DocumentUnread({ state: 'too-large', reason: 'unpacked-limit' });
    this.checkTime();
  }

  /** @throws DocumentUnread when the time is over */
  checkTime(): void {
    if (performance.now() > this.endsAt)
      throw new DocumentUnread({ state: 'too-large', reason: 'time-limit' });
  }
}
