import type { OperationObject } from './operation';

/** A sentence ends where the next one begins with a capital, a figure or code. */
const FIRST_SENTENCE = /^(.+?[.!?])\s+(?=[A-Z0-9`"'‘“(])/s;

/** Lines of a doc comment as one paragraph; empty lines stay between paragraphs. */
const unwrapped = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .join('\n\n')
    .trim();

/**
 * The doc comment of a handler arrives as its description. Without a summary of its own, the first sentence is the
 * summary and what follows the description. Summaries are one line without a full stop.
 */
export function splitTexts(operation: OperationObject): void {
  const text = unwrapped(operation.description ?? '');
  const given = unwrapped(operation.summary ?? '');
  const first = given || (FIRST_SENTENCE.exec(text)?.[1] ?? text);
  const rest = given ? text : text.slice(first.length).trim();
  operation.summary = first.replace(/\.$/, '');
  if (rest) operation.description = rest;
  else delete operation.description;
}
