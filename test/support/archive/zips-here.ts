import { ZipArchive } from '../../../src/archive/export/zip-archive';
import type { ZipOpener } from '../../../src/archive/export/zip-thread';

/** Writes ZIPs without a thread. */
export const ZIPS_HERE: ZipOpener = {
  begin: (options) => {
    const archive = new ZipArchive(options);
    let latest: Promise<unknown> = Promise.resolve();
    return {
      run: (request) => {
        const answer = latest.then(() => archive.run(request));
        latest = answer.catch(() => undefined);
        return answer;
      },
      close: () => archive.abort(),
    };
  },
};
