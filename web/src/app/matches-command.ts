const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether each word that is typed begins a word of the text; accents and case count for nothing. */
export function matchesCommand(typed: string, text: string): boolean {
  const words = fold(text).split(/[^\p{L}\p{N}]+/u);
  return fold(typed)
    .split(/\s+/)
    .every((part) => part === '' || words.some((word) => word.startsWith(part)));
}
