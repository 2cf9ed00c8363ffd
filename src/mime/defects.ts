const MAX_DEFECTS = 20;
const MAX_DEFECT_LENGTH = 200;

/** Defects of a message, in words; each sentence once, and no more than 20 of them. */
export class Defects {
  /** Whether something of the message was not read because there is too much of it. */
  isCut = false;
  private readonly sentences = new Set<string>();

  add(sentence: string): void {
    if (this.sentences.size < MAX_DEFECTS) this.sentences.add(sentence.slice(0, MAX_DEFECT_LENGTH));
  }

  /** There was more than is read. */
  addCut(sentence: string): void {
    this.isCut = true;
    this.add(sentence);
  }

  list(): string[] {
    return [...this.sentences];
  }
}
