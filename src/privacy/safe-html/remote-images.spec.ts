import { once } from 'node:events';
import type { RemoteImageClient } from './remote-image-client';
import { RemoteImages } from './remote-images';

const MIB = 1024 * 1024;
const USER = 'user';

const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => `https://pictures.example/${number}`);

const imagesBy = (fetch: RemoteImageClient['fetch']): RemoteImages =>
  new RemoteImages({ fetch } as RemoteImageClient);

const got = (sut: RemoteImages, wanted: string[], signal = new AbortController().signal) =>
  sut.fetch(USER, wanted, signal, async (images) => [...images.keys()]);

describe('RemoteImages', () => {
  it('should return the images that could be fetched', async () => {
    const sut = imagesBy(async (address) => {
      if (address.endsWith('/1')) throw new Error('away');
      return Buffer.from(address);
    });
    expect((await got(sut, addresses(3))).sort()).toEqual([addresses(1)[0], addresses(3)[2]]);
  });

  it('should load at most ten MiB for a mail, and five for an image', async () => {
    const asked: number[] = [];
    const sut = imagesBy(async (_address, _user, most) => {
      asked.push(most);
      return Buffer.alloc(3 * MIB);
    });
    expect(await got(sut, addresses(50))).toHaveLength(3);
    expect(Math.max(...asked)).toBe(5 * MIB);
  });

  it('should fetch six at once', async () => {
    let open = 0;
    let most = 0;
    const sut = imagesBy(async () => {
      most = Math.max(most, (open += 1));
      await new Promise(setImmediate);
      open -= 1;
      return Buffer.from('x');
    });
    expect(await got(sut, addresses(30))).toHaveLength(30);
    expect(most).toBe(6);
  });

  it('should leave out images that exceed fifteen seconds in total, and request no more', async () => {
    const clock = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
    const asked: string[] = [];
    const sut = imagesBy(async (address, _user, _most, signal) => {
      asked.push(address);
      if (asked.length === 1) return Buffer.from('quick');
      // Six hosts that say nothing: the time is over for all of them together.
      if (asked.length === 7) setImmediate(() => clock.abort(new DOMException('too late', 'TimeoutError')));
      await once(signal, 'abort');
      throw signal.reason;
    });
    expect(await got(sut, addresses(20))).toEqual(addresses(1));
    expect(asked).toHaveLength(7);
    expect(timeout.mock.calls).toEqual([[15_000]]);
    timeout.mockRestore();
  });

  it('should end with its signal', async () => {
    const end = new AbortController();
    const sut = imagesBy(async () => {
      end.abort(new Error('gone'));
      throw new Error('aborted');
    });
    await expect(got(sut, addresses(2), end.signal)).rejects.toThrow('gone');
  });
});
