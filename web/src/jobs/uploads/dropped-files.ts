import type { PlacedFile } from './bundle';

/** The files of a picker; those of a folder with their places in it. */
export const chosenFiles = (files: readonly File[]): PlacedFile[] =>
  files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/**
 * The files that were dropped, those in folders included. Called while the event is handled: later the browser hands out
 * nothing of it.
 */
export function droppedFiles(data: DataTransfer): Promise<PlacedFile[]> {
  const entries: FileSystemEntry[] = [];
  // Some programs hand out files that the file system does not have.
  const others: File[] = [];
  for (const item of data.items) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry();
    const file = entry ? null : item.getAsFile();
    if (entry) entries.push(entry);
    else if (file) others.push(file);
  }
  return filesIn(entries).then((found) => [...found, ...chosenFiles(others)]);
}

async function filesIn(entries: readonly FileSystemEntry[]): Promise<PlacedFile[]> {
  const found: PlacedFile[] = [];
  for (const entry of entries) {
    if (isFile(entry)) found.push({ path: entry.fullPath.replace(/^\//, ''), file: await fileOf(entry) });
    else if (isFolder(entry)) found.push(...(await filesIn(await childrenOf(entry))));
  }
  return found;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });

/** All entries of a folder, which the browser hands out in parts. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (part.length === 0) return all;
    all.push(...part);
  }
}
