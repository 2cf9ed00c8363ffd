const ELLIPSIS = '…';

/**
 * Text of at most `maximum` units, cut between characters and with an ellipsis for what is missing. Each character is
 * written by `write`, which may make it longer (an escape is never cut in two), and measured by `measure`.
 */
export function limitedText(
  text: string,
  maximum: number,
  write: (character: string) => string = (character) => character,
  measure: (written: string) => number = ({ length }) => length,
): string {
  const room = maximum - measure(ELLIPSIS);
  let [length, kept] = [0, 0];
  const written: string[] = [];
  for (const character of text) {
    const next = write(character);
    length += measure(next);
    if (length > maximum) return written.slice(0, kept).join('') + ELLIPSIS;
    written.push(next);
    if (length <= room) kept = written.length;
  }
  return written.join('');
}

const ZERO_WIDTH_SPACE = '\u200b';

/** Nothing in the text addresses a whole room, whatever the platform makes of `@`: the name no longer follows the sign. */
export const withoutMassMentions = (text: string): string => text.replace(/@(?=\w)/g, `@${ZERO_WIDTH_SPACE}`);

/** Text that cannot end a code block: three backticks are never in a row. */
export const withoutCodeFences = (text: string): string => text.replace(/`(?=`)/g, `\`${ZERO_WIDTH_SPACE}`);
