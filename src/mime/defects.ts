const MAX_DEFECTS = 20;
const MAX_DEFECT_LENGTH = 200;

/** Defects of a message, in words; each sentence once, and no more than 20 of them. */
export class Defects {
  private readonly sentences = new Set<string>();

  add(sentence: string): void {
    if (this.sentences.size < MAX_DEFECTS) this.sentences.add(sentence.slice(0, MAX_DEFECT_LENGTH));
  }

  list(): string[] {
    return [...this.sentences];
  }
}
