/** What is compared of a message to know a folder again. */
export interface SampledMessage {
  readonly size: number;
  readonly internalDate: Date;
}

/**
 * Whether a folder under another name holds the messages that were sampled before. Half of them may have been deleted since;
 * one that differs, or one under a UID that the folder had not used, is proof of another folder.
 * @param sampled by UID, consecutive ones of the folder that is missing
 * @param found within the same range of UIDs
 */
export function holdsSample(
  sampled: ReadonlyMap<number, SampledMessage>,
  found: readonly (SampledMessage & { readonly uid: number })[],
): boolean {
  const isSame = ({ uid, size, internalDate }: SampledMessage & { readonly uid: number }): boolean => {
    const before = sampled.get(uid);
    return before?.size === size && before.internalDate.getTime() === internalDate.getTime();
  };
  return found.length > 0 && found.length >= Math.ceil(sampled.size / 2) && found.every(isSame);
}
