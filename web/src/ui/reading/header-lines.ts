/** One header of a mail, as it was written, on one line. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** A message may have thousands, written to have them. */
const MOST_LINES = 500;

/** The headers of a raw mail in their order: continued lines are joined (RFC 5322, section 2.2.3). */
export function headerLines(raw: string): HeaderLine[] {
  const end = /\r?\n\r?\n|^\r?\n/.exec(raw)?.index ?? raw.length;
  const lines: { name: string; value: string }[] = [];
  for (const line of raw.slice(0, end).split(/\r?\n/)) {
    const last = lines.at(-1);
    if (/^[ \t]/.test(line) && last) {
      last.value += ` ${line.trim()}`;
      continue;
    }
    if (lines.length === MOST_LINES) break;
    const colon = line.indexOf(':');
    if (colon > 0) lines.push({ name: line.slice(0, colon), value: line.slice(colon + 1).trim() });
  }
  return lines;
}
