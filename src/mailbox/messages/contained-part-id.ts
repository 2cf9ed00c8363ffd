const PREFIX = 'contained-';

/** The id by which a part in a wrapping is downloaded from a live message: providers do not know the part. @param partId its number */
export const containedPartId = (partId: string): string => PREFIX + partId;

/** The number of a part in a wrapping; null for the ids of providers. */
export const containedPartOf = (id: string): string | null =>
  id.startsWith(PREFIX) ? id.slice(PREFIX.length) : null;
