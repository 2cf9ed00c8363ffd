import type { HeadingLine } from '../../../platform/mime/message-heading';
import { escapeHtml } from '../markup/escape';

/** Writes the heading of a message that is a part of the one that is shown. */
export function headingHtml(lines: readonly HeadingLine[]): string {
  const rows = lines.map(({ name, value }) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<dl class="mailroom-part mailroom-heading">${rows.join('')}</dl>`;
}
