/** A span of a text. */
export interface TextSpan {
  readonly start: number;
  /** End, exclusive. Both offsets are in UTF-16 units. */
  readonly end: number;
}
