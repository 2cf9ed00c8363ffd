/**
 * Makes sure that it was the API that answered. A success may also be the sign-in page of a network, a proxy's own
 * document or half of one: taken for an answer it would be an empty mailbox.
 *
 * @param data the answer's JSON; its text when it was none
 * @param marks fields one of which each such answer has
 * @throws SyntaxError when it has none
 */
export function genuine<T extends object>(data: unknown, marks: readonly (keyof T & string)[]): T {
  const isGenuine =
    typeof data === 'object' && data !== null && marks.some((mark) => Object.hasOwn(data, mark));
  if (!isGenuine) throw new SyntaxError(`The answer has no ${marks.join(' and no ')}`);
  return data as T;
}

/** The same for answers that say nothing. @throws SyntaxError when this one is a document */
export function genuinelyNothing(data: unknown): void {
  const isNothing =
    typeof data === 'string' ? data.trim() === '' : data !== null && Object.keys(data ?? {}).length === 0;
  if (!isNothing) throw new SyntaxError('The answer is a document');
}
