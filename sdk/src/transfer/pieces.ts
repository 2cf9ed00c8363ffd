/** Pieces of a stream; a reader that stops early cancels it. Not every browser can iterate a stream by itself. */
export async function* piecesOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void, undefined> {
  const reader = stream.getReader();
  let over = false;
  try {
    for (;;) {
      const next = await reader.read().catch((error: unknown) => {
        over = true;
        throw error;
      });
      over = next.done;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    if (!over) await reader.cancel();
    reader.releaseLock();
  }
}
