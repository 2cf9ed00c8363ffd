const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The fields of a line of `COPY … TO STDOUT` in its text format (PostgreSQL manual, COPY, "Text Format"). */
export function parseCopyLine(line: string): (string | null)[] {
  return line.split('\t').map((field) => {
    if (field === '\\N') return null;
    return field.replace(/\\(.)/g, (_match, letter: string) => ESCAPES[letter] ?? letter);
  });
}
