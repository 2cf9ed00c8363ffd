import { ApiProperty } from '@nestjs/swagger';
import type { MessagePart } from '../../../providers/port/mailbox-provider.port';
import { hostOf } from '../../tracking/detection/remote-url';
import { type Doubt, DOUBTS } from '../../../platform/mime/defects';
import type { SafeMail } from '../rendering/render-mail';
import {
  MailInvitationResponse,
  ProtectionResponse,
  toInvitationResponse,
  toProtectionResponse,
} from './message-facts.response';

/** Removed content that would have told the sender that the mail was read, and when. */
export class RemovedTrackerResponse {
  /** `pixel`: an image that is loaded when the mail is opened; `utm`: parameters of links. */
  @ApiProperty({ enum: ['pixel', 'utm'], example: 'pixel' })
  type: 'pixel' | 'utm';

  /**
   * Host from which the image would have been loaded, or to which the links lead.
   * @example "list-manage.com"
   */
  domain: string;

  /**
   * Address of a pixel. It is never fetched.
   * @example "https://list-manage.com/track/open.php?u=1"
   */
  url?: string;

  /**
   * Names of the parameters that were removed from links.
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
   * Hosts that would learn of it if these images were loaded.
   * @example ["cdn.shop.example"]
   */
  remoteImageHosts: string[];

  /** The trackers that were removed. */
  @ApiProperty({ type: [RemovedTrackerResponse] })
  trackers: RemovedTrackerResponse[];

  /** S/MIME of the mail; `null` without any. */
  @ApiProperty({ type: ProtectionResponse, nullable: true })
  protection: ProtectionResponse | null;

  /** Events that came with the mail, at most 10. */
  @ApiProperty({ type: [MailInvitationResponse] })
  invitations: MailInvitationResponse[];

  /** Kinds of values that are shown as well as they can be read, and may be wrong. */
  @ApiProperty({ enum: DOUBTS, isArray: true, example: ['date'] })
  doubts: Doubt[];
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
   * Number of remote images that could not be loaded: beyond the limits, too large, too slow, no image, or unreachable.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  remoteImagesFailed: number;
}

/** A file of a live message. */
export class MessageAttachmentResponse {
  /** Id of the part, for its download.
   * @example "2" */
  partId: string;
  /** @example invoice.pdf */
  filename: string;
  /** @example application/pdf */
  mime_type: string;
  /** Size of the decoded content in bytes.
   * @example 48213 */
  @ApiProperty({ type: 'integer' })
  size_bytes: number;
}

/** A live message that is safe to show. */
export class LiveSafeHtmlResponse extends SafeHtmlResponse {
  /**
   * Files of the message, without images that are shown in the text. Behind those that the provider knows come the files in
   * wrappings, such as winmail.dat and signed content.
   */
  @ApiProperty({ type: [MessageAttachmentResponse] })
  attachments: MessageAttachmentResponse[];
}

export const toMessageAttachmentResponse = (
  part: Pick<MessagePart, 'partId' | 'filename' | 'mimeType' | 'sizeBytes'>,
): MessageAttachmentResponse => ({
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
    protection: toProtectionResponse(mail.protection),
    invitations: mail.invitations.map(toInvitationResponse),
    doubts: [...mail.doubts],
  };
}

export const toSafeHtmlWithImagesResponse = (mail: SafeMail): SafeHtmlWithImagesResponse => ({
  ...toSafeHtmlResponse(mail),
  remoteImagesShown: mail.remoteImagesShown,
  remoteImagesFailed: mail.remoteImages.length - mail.remoteImagesShown,
});
