import { isShownAsText } from '../../../platform/mime/attachment-parts';
import { writtenText } from '../../../platform/mime/body-text';
import { Defects } from '../../../platform/mime/defects';
import { type HeadingLine, readHeading } from '../../../platform/mime/message-heading';
import type { MimeEntity } from '../../../platform/mime/mime-tree';
import { enrichedToText, looksLikeHtml, textKindOf } from '../../../platform/mime/text-kinds';

/** A visible part of a message: a decoded part, or the heading of a message in it. */
export type Shown = ShownPart | { readonly kind: 'heading'; readonly lines: readonly HeadingLine[] };

/** A decoded part of a message that is shown. */
export interface ShownPart {
  readonly kind: 'html' | 'text';
  readonly text: string;
  /** Whether lines that end in a space continue in the next (RFC 3676); with `delSp` the space is not part of the text. */
  readonly flowed: boolean;
  readonly delSp: boolean;
}

/** Most bytes of all parts together, as decoded from their transfer encoding. */
const MAX_SHOWN_BYTES = 4 * 1024 * 1024;

export interface ShownParts {
  readonly parts: readonly Shown[];
  /** Whether there was more than `MAX_SHOWN_BYTES`. */
  readonly truncated: boolean;
}

/**
 * Returns the parts a mail reader shows, in order: the richest alternative that is not blank, and all other text that is not an
 * attachment; a message in a part with its heading.
 */
export function shownParts(root: MimeEntity, defects = new Defects()): ShownParts {
  return new PartReader(defects).read(root);
}

class PartReader {
  private left = MAX_SHOWN_BYTES;
  private truncated = false;

  constructor(private readonly defects: Defects) {}

  read(root: MimeEntity): ShownParts {
    const parts = this.partsOf(root);
    return { parts, truncated: this.truncated };
  }

  private partsOf(entity: MimeEntity): Shown[] {
    if (entity.message) {
      const lines = readHeading(entity.message);
      const parts = this.partsOf(entity.message);
      return lines.length > 0 ? [{ kind: 'heading', lines }, ...parts] : parts;
    }
    if (entity.content) return this.partsOf(entity.content);
    if (!entity.children) return isShownAsText(entity) ? this.leaf(entity) : [];
    if (entity.mediaType === 'multipart/alternative') return this.alternative(entity.children);
    return entity.children.flatMap((child) => this.partsOf(child));
  }

  /** The alternative to show. The last is the richest (RFC 2046 §5.1.4); one with HTML is preferred to one with text alone. */
  private alternative(children: readonly MimeEntity[]): Shown[] {
    const newest = [...children].reverse();
    const candidates = [...newest.filter(hasHtml), ...newest.filter((child) => !hasHtml(child))];
    for (const child of candidates) {
      const parts = this.partsOf(child);
      if (parts.length > 0) return parts;
    }
    return [];
  }

  private leaf(leaf: MimeEntity): ShownPart[] {
    const limit = this.left;
    if (limit <= 0) {
      this.truncated = true;
      return [];
    }
    const text = writtenText(leaf, limit, this.defects);
    // The decoder does not tell where it stops; encodings take at most three bytes for one.
    const encoded = leaf.bodyEnd - leaf.bodyStart;
    const used = Math.min(encoded, Buffer.byteLength(text));
    if (used >= limit || encoded > 3 * limit) this.truncated = true;
    if (text.trim() === '') return [];
    this.left -= used;
    const kind = textKindOf(leaf);
    if (kind === 'enriched')
      return [{ kind: 'text', text: enrichedToText(text, text.length), flowed: false, delSp: false }];
    const isHtml = kind === 'html' || looksLikeHtml(text);
    const parameter = (name: string): string => (leaf.contentType.parameters.get(name) ?? '').toLowerCase();
    return [
      {
        kind: isHtml ? 'html' : 'text',
        text,
        flowed: parameter('format') === 'flowed',
        delSp: parameter('delsp') === 'yes',
      },
    ];
  }
}

function hasHtml(entity: MimeEntity): boolean {
  if (entity.content) return hasHtml(entity.content);
  return entity.children
    ? entity.children.some(hasHtml)
    : textKindOf(entity) === 'html' && isShownAsText(entity);
}
