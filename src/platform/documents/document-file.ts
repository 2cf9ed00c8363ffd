import type { PlaceKind, TextPlace } from './document-text';

/** A file to be read: an attachment, or a member of an archive. */
export interface DocumentFile {
  readonly bytes: Buffer;
  /** File name without folders. */
  readonly name: string;
  /** Type that its sender has declared, in lower case; empty: none. */
  readonly mimeType: string;
  /** Path within archives and messages; null: the document itself. */
  readonly member: string | null;
  /** Number of archives and messages around it. */
  readonly depth: number;
}

/** A place in a file. */
export const placeIn = (
  { member }: Pick<DocumentFile, 'member'>,
  kind: PlaceKind | null = null,
  name: string | null = null,
): TextPlace => ({ member, kind, name });

/** The path of a member of an archive that may itself be a member. */
export const memberPath = ({ member }: Pick<DocumentFile, 'member'>, path: string): string =>
  member === null ? path : `${member}/${path}`;
