import 'yauzl';

/** Functions of yauzl 3 that its published types do not have. */
declare module 'yauzl' {
  interface Entry {
    fileNameRaw: Buffer;
    extraFieldRaw: Buffer;
  }
  interface ZipFile {
    readLocalFileHeader(
      entry: Entry,
      options: { minimal: true },
      callback: (error: Error | null, header: { fileDataStart: number }) => void,
    ): void;
  }
  export function getFileNameLowLevel(
    generalPurposeBitFlag: number,
    fileName: Buffer,
    extraFields: readonly { id: number; data: Buffer }[],
    strictFileNames: boolean,
  ): string;
}
