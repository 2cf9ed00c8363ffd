/** Properties of a message by which a folder is recognised. */
export interface SampledMessage {
  readonly size: number;
  readonly internalDate: Date;
}

/**
 * Whether a folder under another name holds the sampled messages. Half of them may have been deleted since. One that
 * differs, or one under a UID that the folder did not use, proves that it is another folder.
 * @param sampled consecutive messages of the missing folder, by UID
 * @param found messages within the same range of UIDs
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
