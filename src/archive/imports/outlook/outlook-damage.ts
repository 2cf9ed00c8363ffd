/** An Outlook file, or an item of one, cannot be read. */
export class OutlookDamage extends Error {
  /** @param message the end of a sentence, e.g. `its directory is damaged` */
  constructor(message: string) {
    super(message);
    this.name = 'OutlookDamage';
  }
}
