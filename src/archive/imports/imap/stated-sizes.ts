/** Number of messages, none of them as large as stated, after which the server is assumed to estimate sizes. */
const ENOUGH = 3;

/** The sizes that a server states, compared with those of its messages (RFC 3501 §2.3.4 wants them exact; some estimate). */
export class StatedSizes {
  private exact = 0;
  private other = 0;

  /** @param length number of bytes received @param stated size that the server has stated for them */
  compare(length: number, stated: number): void {
    if (length === stated) this.exact += 1;
    else this.other += 1;
  }

  /** Whether a message that is shorter than stated may be whole because no size is right. */
  get areEstimates(): boolean {
    return this.exact === 0 && this.other >= ENOUGH;
  }
}
