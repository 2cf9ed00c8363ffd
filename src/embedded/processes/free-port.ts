import { createServer } from 'node:net';

/** A TCP port that was free on 127.0.0.1 a moment ago; the caller tries another one if it is taken by then. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = probe.address();
      probe.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('The operating system assigned no port.'));
      });
    });
  });
}
