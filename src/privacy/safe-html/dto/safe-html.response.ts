import { ApiProperty } from '@nestjs/swagger';
import type { MessagePart } from '../../../providers/port/mailbox-provider.port';
import { hostOf } from '../../tracking/detection/remote-url';
import type { SafeMail } from '../rendering/render-mail';

/** Content that would have reported to the sender who reads, and when. */
export class RemovedTrackerResponse {
  /** `pixel`: an image that is loaded when the mail is opened; `utm`: parameters of links. */
  @ApiProperty({ enum: ['pixel', 'utm'], example: 'pixel' })
  type: 'pixel' | 'utm';

  /**
   * Host it would have been loaded from, or that the links lead to.
   * @example "list-manage.com"
   */
  domain: string;

  /**
   * Of a pixel: its address. It is never fetched.
   * @example "https://list-manage.com/track/open.php?u=1"
   */
  url?: string;

  /**
   * Of links: names of the parameters that were removed.
   * @example ["utm_source", "mc_eid"]
   */
  params?: string[];
}

/** An archived mail that is safe to show. */
export class SafeHtmlResponse {
  /**
   * A whole HTML document, for the `srcdoc` of a sandboxed frame: `sandbox="allow-popups
   * allow-popups-to-escape-sandbox"`.
   * @example "<!DOCTYPE html><html>…</html>"
   */
  html: string;

  /**
   * Trackers that were removed: pixels once per platform, link parameters once per host.
   * @example 2
   */
  @ApiProperty({ type: 'integer' })
  trackersRemoved: number;

  /**
   * Removed references to remote content, not counting trackers.
   * @example 5
   */
  @ApiProperty({ type: 'integer' })
  remoteContentBlocked: number;

  /**
   * Inline images of the mail that are shown.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  inlineImages: number;

  /**
   * Whether the mail is too large to be shown whole.
   * @example false
   */
  truncated: boolean;

  /**
   * Remote images that could be loaded, at most 50: each address once, trackers left out. They are part of
   * `remoteContentBlocked`.
   * @example 3
   */
  @ApiProperty({ type: 'integer' })
  remoteImages: number;

  /**
   * The hosts that would learn of it.
   * @example ["cdn.shop.example"]
   */
  remoteImageHosts: string[];

  /** The trackers that were removed. */
  @ApiProperty({ type: [RemovedTrackerResponse] })
  trackers: RemovedTrackerResponse[];
}

/** An archived mail with its remote images. */
export class SafeHtmlWithImagesResponse extends SafeHtmlResponse {
  /**
   * Remote images that are in the document.
   * @example 2
   */
  @ApiProperty({ type: 'integer' })
  remoteImagesShown: number;

  /**
   * Those that were not: out of bounds, too large, too slow, no image, or away.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  remoteImagesFailed: number;
}

/** A file of a live message. */
export class MessageAttachmentResponse {
  /** For its download.
   * @example "2" */
  partId: string;
  /** @example invoice.pdf */
  filename: string;
  /** @example application/pdf */
  mime_type: string;
  /** Decoded.
   * @example 48213 */
  @ApiProperty({ type: 'integer' })
  size_bytes: number;
}

/** A live message that is safe to show. */
export class LiveSafeHtmlResponse extends SafeHtmlResponse {
  /** Its files, without images that are shown in the text. */
  @ApiProperty({ type: [MessageAttachmentResponse] })
  attachments: MessageAttachmentResponse[];
}

export const toMessageAttachmentResponse = (part: MessagePart): MessageAttachmentResponse => ({
  partId: part.partId,
  filename: part.filename,
  mime_type: part.mimeType,
  size_bytes: part.sizeBytes,
});

export function toSafeHtmlResponse(mail: SafeMail): SafeHtmlResponse {
  const { html, trackers, remoteContentBlocked, remoteImages, inlineImages, truncated } = mail;
  return {
    html: Buffer.from(html.buffer, html.byteOffset, html.byteLength).toString('utf8'),
    trackersRemoved: trackers.length,
    remoteContentBlocked,
    inlineImages,
    truncated,
    remoteImages: remoteImages.length,
    remoteImageHosts: [...new Set(remoteImages.map((address) => hostOf(new URL(address))))],
    trackers: trackers.map((tracker) =>
      tracker.type === 'utm' ? { ...tracker, params: [...tracker.params] } : { ...tracker },
    ),
  };
}

export const toSafeHtmlWithImagesResponse = (mail: SafeMail): SafeHtmlWithImagesResponse => ({
  ...toSafeHtmlResponse(mail),
  remoteImagesShown: mail.remoteImagesShown,
  remoteImagesFailed: mail.remoteImages.length - mail.remoteImagesShown,
});
