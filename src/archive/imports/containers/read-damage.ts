/** Reason why a file, or an item of one, cannot be read. */
export interface ReadDamage {
  /** Stable code of the reason. */
  readonly code: string;
  /** Description for people; the end of a sentence. */
  readonly reason: string;
}

export const FILE_UNREADABLE: ReadDamage = {
  code: 'file-unreadable',
  reason: 'the service may not read it',
};
export const CUT_OFF: ReadDamage = {
  code: 'compressed-file-cut-off',
  reason: 'the compressed file ends too early',
};
export const COMPRESSION_DAMAGED: ReadDamage = {
  code: 'compressed-file-damaged',
  reason: 'the compressed file is damaged from here on',
};
export const ARCHIVE_CUT_OFF: ReadDamage = {
  code: 'archive-cut-off',
  reason: 'the archive ends too early',
};
/** A tar without the empty blocks at its end: it was cut between two files, or by a program that does not write them. */
export const ARCHIVE_UNENDED: ReadDamage = {
  code: ARCHIVE_CUT_OFF.code,
  reason: 'the archive has no mark of its end and may have been cut',
};
export const ARCHIVE_DAMAGED: ReadDamage = {
  code: 'archive-damaged',
  reason: 'the archive is damaged from here on',
};
export const PART_DAMAGED: ReadDamage = {
  code: 'archive-part-damaged',
  reason: 'this part of the archive is damaged; reading goes on behind it',
};
export const MEMBER_DAMAGED: ReadDamage = {
  code: 'archive-member-damaged',
  reason: 'it is damaged in the archive',
};
export const CHECKSUM_WRONG: ReadDamage = {
  code: 'archive-checksum-wrong',
  reason: 'its checksum is wrong: some of it may be damaged',
};
export const MEMBER_ENCRYPTED: ReadDamage = {
  code: 'archive-member-encrypted',
  reason: 'it is encrypted in the archive',
};
export const MEMBERS_OVERLAP: ReadDamage = {
  code: 'archive-members-overlap',
  reason: 'it shares its bytes with another file of the archive',
};
export const NESTED_TOO_DEEP: ReadDamage = {
  code: 'archive-nested-too-deep',
  reason: 'it lies in more archives than are unpacked',
};

const filesFound = (files: number): string =>
  `${files} ${files === 1 ? 'file was' : 'files were'} found in it`;

/** A ZIP that ends before its directory. @param files number of files that were found before the end */
export const zipCutOff = (files: number): ReadDamage => ({
  code: ARCHIVE_CUT_OFF.code,
  reason: `the archive ends too early; ${filesFound(files)}`,
});

/** A ZIP whose directory cannot be read. @param files number of files that were found without it */
export const directoryMissing = (files: number): ReadDamage => ({
  code: 'archive-directory-missing',
  reason: `its directory, which stands at its end, is missing or damaged; ${filesFound(files)}`,
});

/** A compression that is not read. @param method name or number of the compression */
export const compressionUnsupported = (method: string): ReadDamage => ({
  code: 'archive-compression-unsupported',
  reason: `it is compressed in a way that is not read (${method})`,
});

/** A kind of file that may hold mail and is not read. @param what e.g. `a RAR archive` */
export const formatUnsupported = (what: string): ReadDamage => ({
  code: 'import-format-unsupported',
  reason: `it is ${what}, which is not read`,
});
