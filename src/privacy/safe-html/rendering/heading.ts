import type { HeadingLine } from '../../../platform/mime/message-heading';
import type { DocumentTexts } from './document-texts';
import { escapeHtml } from '../markup/escape';

/** Writes the heading of a message that is a part of the one that is shown. */
export function headingHtml(lines: readonly HeadingLine[], texts: DocumentTexts): string {
  const rows = lines.map(({ name, value }) => `<dt>${texts.heading[name]}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<dl class="mailroom-part mailroom-heading">${rows.join('')}</dl>`;
}
