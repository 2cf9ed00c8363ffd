import { ApiProperty } from '@nestjs/swagger';
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

  /** The trackers that were removed. */
  @ApiProperty({ type: [RemovedTrackerResponse] })
  trackers: RemovedTrackerResponse[];
}

export function toSafeHtmlResponse(mail: SafeMail): SafeHtmlResponse {
  const { html, trackers, remoteContentBlocked, inlineImages, truncated } = mail;
  return {
    html: Buffer.from(html.buffer, html.byteOffset, html.byteLength).toString('utf8'),
    trackersRemoved: trackers.length,
    remoteContentBlocked,
    inlineImages,
    truncated,
    trackers: trackers.map((tracker) =>
      tracker.type === 'utm' ? { ...tracker, params: [...tracker.params] } : { ...tracker },
    ),
  };
}
