import { allLeavesOf, type AttachmentPart, listAttachments } from '../../../platform/mime/attachment-parts';
import type { MimeEntity } from '../../../platform/mime/mime-tree';
import { type Invitation, readInvitations } from '../../../platform/mime/calendar/invitations';
import { Defects, type Doubt, DOUBTS } from '../../../platform/mime/defects';
import { readHeaderFields } from '../../../platform/mime/parse-message';
import { type Protection, readProtection } from '../../../platform/mime/smime/protection';
import { readMessage } from '../../../platform/mime/contained-parts';
import { findTrackersInAll } from '../../tracking/detection/find-trackers';
import type { Tracker } from '../../tracking/detection/tracker';
import { safeStylesheet } from '../css/css-stylesheet';
import { keepAllowed } from '../markup/allowlist';
import type { MarkupContext } from '../markup/element-writer';
import { safeMarkup } from '../markup/mail-markup';
import { safeDocument } from './document';
import { DOCUMENT_TEXTS, type DocumentLanguage, type DocumentTexts } from './document-texts';
import { cssImages, InlineImages } from './inline-images';
import { headingHtml } from './heading';
import { plainTextHtml } from './plain-text';
import { RenderFindings } from './render-findings';
import { type Shown, shownParts } from './shown-parts';

/** Most UTF-16 units of the rules of all parts together, which the scope of each selector makes longer. */
const MAX_CSS = 4 * 1024 * 1024;

/** A message as a document that is safe to show. */
export interface SafeMail {
  /** Document in UTF-8. */
  readonly html: Uint8Array;
  readonly trackers: Tracker[];
  /** Number of references to content of other machines, trackers not counted. */
  readonly remoteContentBlocked: number;
  /** Number of images of the message that are shown. */
  readonly inlineImages: number;
  readonly truncated: boolean;
  /** Addresses of remote images that it would show, trackers left out; at most 50. */
  readonly remoteImages: readonly string[];
  /** Number of remote images that are shown. */
  readonly remoteImagesShown: number;
  /** S/MIME of the message; null without any. */
  readonly protection: Protection | null;
  readonly invitations: readonly Invitation[];
  /** Files in wrappings, such as winmail.dat, and in texts; without images that are shown. */
  readonly contained: readonly ContainedFile[];
  /** Kinds of values that may be read wrongly. */
  readonly doubts: readonly Doubt[];
}

/** A file that the mail provider does not list, because it lies in a wrapping. */
export type ContainedFile = Pick<AttachmentPart, 'partId' | 'filename' | 'mimeType' | 'sizeBytes'>;

function listContained(raw: Buffer, root: MimeEntity): ContainedFile[] {
  return listAttachments(raw, root, new Defects())
    .attachments.filter(
      ({ isContained, encoding, isInline }) => !isInline && (isContained || encoding === 'x-uuencode'),
    )
    .map(({ partId, filename, mimeType, sizeBytes }) => ({ partId, filename, mimeType, sizeBytes }));
}

export interface RenderOptions {
  /** Remote images to show, by the addresses in `remoteImages`. */
  readonly fetched?: ReadonlyMap<string, Uint8Array> | undefined;
  /** Language of the texts around the message; English without one. */
  readonly language?: DocumentLanguage;
}

/**
 * Renders a raw message for reading: without scripts, remote content and trackers. Never throws because of the content of a
 * message; time is linear in its size.
 * @param subject title of the document
 */
export function renderMail(
  raw: Buffer,
  subject: string,
  { fetched, language = 'en' }: RenderOptions = {},
): SafeMail {
  const defects = new Defects();
  const root = readMessage(raw, defects);
  const { parts, truncated } = shownParts(root, defects);
  readHeaderFields(root, defects);
  const documents = parts.flatMap((part) => (part.kind === 'html' ? [part.text] : []));
  const pixels = findTrackersInAll(documents).filter((tracker) => tracker.type === 'pixel');
  const findings = new RenderFindings(pixels);
  findings.truncated = truncated;
  const images = new InlineImages(allLeavesOf(root), findings, fetched);
  const styles: string[] = [];
  let cssLeft = MAX_CSS;
  const bodies = parts.map((part, index) => {
    const { html, css } = renderedPart(part, index + 1, {
      images,
      findings,
      texts: DOCUMENT_TEXTS[language],
    });
    cssLeft -= css.length;
    if (cssLeft >= 0) styles.push(css);
    else findings.truncated = true;
    return html;
  });
  const html = safeDocument({
    subject,
    css: styles.join(''),
    bodies: bodies.filter((body) => body !== ''),
    truncated: findings.truncated,
    language,
  });
  return {
    html: images.fill(html),
    trackers: findings.trackers,
    remoteContentBlocked: findings.remoteContentBlocked,
    inlineImages: findings.inlineImages,
    truncated: findings.truncated,
    remoteImages: images.wanted,
    remoteImagesShown: images.remoteShown,
    protection: readProtection(root),
    invitations: readInvitations(root),
    contained: listContained(raw, root),
    doubts: DOUBTS.filter((doubt) => defects.doubts.has(doubt)),
  };
}

function renderedPart(
  part: Shown,
  number: number,
  { images, findings, texts }: { images: InlineImages; findings: RenderFindings; texts: DocumentTexts },
): { html: string; css: string } {
  if (part.kind === 'heading') return { html: headingHtml(part.lines, texts), css: '' };
  if (part.kind === 'text') {
    const text = keepAllowed(plainTextHtml(part, findings, texts));
    return { html: `<div class="mailroom-part mailroom-text">${text}</div>`, css: '' };
  }
  const scope = { scope: `mailroom-part-${number}`, prefix: `m${number}-`, body: `mailroom-body-${number}` };
  const context: MarkupContext = { scope, images, findings, texts };
  const { html, css } = safeMarkup(part.text, context);
  const safe = keepAllowed(html);
  return {
    html: safe.trim() === '' ? '' : `<div class="mailroom-part ${scope.scope}">${safe}</div>`,
    css: safeStylesheet(css, scope, cssImages(context)),
  };
}
