import { randomBytes } from 'node:crypto';
import { contentIdOf } from '../../../platform/mime/attachment-parts';
import { bodyOf } from '../../../platform/mime/body-text';
import type { MimeEntity } from '../../../platform/mime/mime-tree';
import { decodeBounded } from '../../../platform/mime/transfer-decoder';
import type { CssImages } from '../css/css-declarations';
import { remoteUrl } from '../../tracking/detection/remote-url';
import { cleanAddress, isRemote } from '../markup/addresses';
import type { RenderFindings } from './render-findings';

/**
 * The type of a raster image by its first bytes, whatever its label says; null for anything else. SVG is none: it is a
 * document that can load and run things.
 */
export function rasterType(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (/^RIFF.{4}WEBP/s.test(head)) return 'image/webp';
  // A bitmap file names its own header's length, which is one of a few (BITMAPINFOHEADER and its relatives).
  if (head.startsWith('BM') && bytes.length >= 26 && BITMAP_HEADERS.has(bytes.readUInt32LE(14)))
    return 'image/bmp';
  return null;
}

const BITMAP_HEADERS = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

const MIB = 1024 * 1024;
const MAX_IMAGE_BYTES = 5 * MIB;
/** Most bytes of all inline images; an image counts each time it is shown. */
const MAX_TOTAL_BYTES = 15 * MIB;
/** Most bytes of an image in a `data:` address. */
const MAX_DATA_BYTES = MIB;
const DATA_URI = /^data:image\/[\w.+-]{1,40}(?:;[\w=.-]{1,40}){0,3};base64,/i;

/** Most remote images of a message that are counted; honest mail has fewer. */
export const MAX_REMOTE_IMAGES = 50;
/** Most characters of a remote address: browsers and servers take no longer one. */
const MAX_REMOTE_ADDRESS = 8_192;

/** Scheme of the marks that stand for images until the markup is complete. */
export const MARK_SCHEME = 'mailroom-image';

/**
 * The images in a message itself: parts named by `cid:` (RFC 2392) and `data:` addresses. Only raster images, by
 * their bytes; at most 5 MiB each (1 MiB for `data:`) and 15 MiB in all.
 *
 * Until the markup is complete a mark stands for each, so that megabytes of base64 go through no parser; its random
 * part keeps a message from forging marks.
 */
export class InlineImages {
  private readonly nonce = randomBytes(12).toString('hex');
  private readonly parts = new Map<string, MimeEntity>();
  private readonly loaded = new Map<MimeEntity, { mark: string | null; bytes: number }>();
  private readonly contents: string[] = [];
  private readonly remoteMarks = new Map<string, { mark: string | null; bytes: number }>();
  private readonly shownRemote = new Set<string>();
  private total = 0;

  /** @param fetched remote images by their addresses in `wanted` */
  constructor(
    leaves: readonly MimeEntity[],
    private readonly findings: RenderFindings,
    private readonly fetched: ReadonlyMap<string, Uint8Array> = new Map(),
  ) {
    for (const leaf of leaves) {
      const id = contentIdOf(leaf);
      if (id !== null && !this.parts.has(id)) this.parts.set(id, leaf);
    }
  }

  /** The address that stands for an image of the message; null when it is no image, or too large. */
  mark(address: string): string | null {
    const clean = cleanAddress(address);
    const mark = /^cid:/i.test(clean) ? this.markPart(clean.slice(4)) : this.markData(clean);
    if (mark !== null) this.findings.inlineImages++;
    return mark;
  }

  /** Addresses of the remote images that the message would show, each once, in the form in which they are fetched. */
  get wanted(): string[] {
    return [...this.remoteMarks.keys()];
  }

  /** Number of remote images that are shown. */
  get remoteShown(): number {
    return this.shownRemote.size;
  }

  /** The address that stands for a remote image; null when it was not fetched, or is no image. */
  markRemote(address: string): string | null {
    const url = remoteUrl(address);
    if (url === null || url.username !== '' || url.password !== '') return null;
    url.hash = '';
    if (url.href.length > MAX_REMOTE_ADDRESS) return null;
    const image = this.remoteMarks.get(url.href) ?? this.loadRemote(url.href);
    if (image === null || image.mark === null || !this.hasRoom(image.bytes)) return null;
    this.shownRemote.add(url.href);
    return image.mark;
  }

  /** The markup with the images in the places of their marks, in UTF-8. */
  fill(markup: string): Buffer {
    const marks = new RegExp(`${MARK_SCHEME}:${this.nonce}-(\\d{1,7})`, 'g');
    return Buffer.from(
      markup.replace(marks, (_, index: string) => this.contents[Number(index)] ?? ''),
      'utf8',
    );
  }

  private markPart(id: string): string | null {
    const part = this.parts.get(id) ?? this.parts.get(decodePercent(id));
    if (!part) return null;
    const image = this.loaded.get(part) ?? this.load(part);
    if (image.mark === null) return null;
    return this.hasRoom(image.bytes) ? image.mark : null;
  }

  private load(part: MimeEntity): { mark: string | null; bytes: number } {
    const bytes = decodeBounded(bodyOf(part), part.encoding, MAX_IMAGE_BYTES + 1);
    const image = { mark: this.keep(bytes, MAX_IMAGE_BYTES), bytes: bytes.length };
    this.loaded.set(part, image);
    return image;
  }

  private loadRemote(address: string): { mark: string | null; bytes: number } | null {
    if (this.remoteMarks.size >= MAX_REMOTE_IMAGES) return null;
    const bytes = this.fetched.get(address);
    const image = {
      mark: bytes === undefined ? null : this.keep(Buffer.from(bytes), MAX_IMAGE_BYTES),
      bytes: bytes?.length ?? 0,
    };
    this.remoteMarks.set(address, image);
    return image;
  }

  private markData(address: string): string | null {
    const prefix = DATA_URI.exec(address)?.[0];
    if (prefix === undefined || address.length > prefix.length + MAX_DATA_BYTES * 2) return null;
    const bytes = Buffer.from(decodePercent(address.slice(prefix.length)), 'base64');
    return bytes.length <= MAX_DATA_BYTES && this.hasRoom(bytes.length)
      ? this.keep(bytes, MAX_DATA_BYTES)
      : null;
  }

  private keep(bytes: Buffer, limit: number): string | null {
    if (bytes.length > limit) {
      this.findings.truncated = true;
      return null;
    }
    const type = rasterType(bytes);
    if (type === null) return null;
    this.contents.push(`data:${type};base64,${bytes.toString('base64')}`);
    return `${MARK_SCHEME}:${this.nonce}-${this.contents.length - 1}`;
  }

  private hasRoom(bytes: number): boolean {
    if (this.total + bytes > MAX_TOTAL_BYTES) {
      this.findings.truncated = true;
      return false;
    }
    this.total += bytes;
    return true;
  }
}

function decodePercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** Lets CSS show images of the message itself. Remote ones are counted, unless they are trackers. */
export function cssImages({
  images,
  findings,
}: {
  images: InlineImages;
  findings: RenderFindings;
}): CssImages {
  return (url) => {
    if (!isRemote(url)) return images.mark(url);
    findings.block(url);
    return null;
  };
}
