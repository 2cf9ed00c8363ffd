/**
 * An id that can be a segment of a path. `.` and `..` would be taken for steps through it, and another resource be
 * called (RFC 3986, section 5.2.4); no message or label has such an id, so the provider does not find what is named instead.
 */
export const addressableId = (id: string): string => (/^\.{1,2}$/.test(id) ? id.replaceAll('.', '%2E') : id);
