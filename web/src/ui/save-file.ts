/** Leaves a file of the service to the downloads of the browser. @param url a path of the service */
export function saveFrom(url: string, filename: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Saves bytes that the page holds. */
export function saveBytes(bytes: Uint8Array, filename: string): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' }));
  saveFrom(url, filename);
  // The browser has taken its own hold of the bytes by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
