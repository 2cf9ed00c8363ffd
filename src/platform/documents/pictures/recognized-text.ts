/** Columns of tesseract's TSV: block, paragraph, line, confidence in percent, and the word. */
const COLUMN = { level: 0, block: 2, line: 4, confidence: 10, word: 11 } as const;
const WORD_LEVEL = '5';
/** Words of which tesseract is less sure are mostly shapes in photos. */
const MIN_CONFIDENCE = 40;

/** The text of a picture from tesseract's table of words, line by line. */
export function recognizedText(tsv: string): string {
  let text = '';
  let line = '';
  for (const row of tsv.split('\n')) {
    const cells = row.split('\t');
    const word = cells[COLUMN.word];
    if (cells[COLUMN.level] !== WORD_LEVEL || word === undefined || word.trim() === '') continue;
    if (Number(cells[COLUMN.confidence]) < MIN_CONFIDENCE) continue;
    const next = cells.slice(COLUMN.block, COLUMN.line + 1).join();
    text += text === '' ? word : `${next === line ? ' ' : '\n'}${word}`;
    line = next;
  }
  return joinDivided(text);
}

/** Joins words that are divided at the end of a line. */
export const joinDivided = (text: string): string => text.replace(/(\p{Ll})[-\u00ad]\n(?=\p{Ll})/gu, '$1');
