import { ProviderUnavailable } from '../../../providers/port/mail-provider.errors';
import { streamRawMessages } from './raw-message-stream';

type Outcome =
  | { readonly kind: 'mail'; readonly bytes: number }
  | { readonly kind: 'later'; readonly error: ProviderUnavailable };

const MIB = 1024 * 1024;
const mail = (bytes = 1): Outcome => ({ kind: 'mail', bytes });
const later = (): Outcome => ({ kind: 'later', error: new ProviderUnavailable() });
const sizeOf = (outcome: Outcome): number => (outcome.kind === 'mail' ? outcome.bytes : 0);

describe('streamRawMessages', () => {
  const options = { concurrency: 1, outage: 3, sizeOf };

  async function stream(
    outcomes: readonly Outcome[],
    changes: { batchCount?: number } = {},
  ): Promise<Outcome[][]> {
    const batches: Outcome[][] = [];
    const read = (outcome: Outcome): Promise<Outcome> => Promise.resolve(outcome);
    for await (const batch of streamRawMessages(outcomes, read, { ...options, ...changes }))
      batches.push(batch);
    return batches;
  }

  it('should yield batches of a bounded number of messages', async () => {
    const outcomes = Array.from({ length: 5 }, () => mail());
    expect((await stream(outcomes, { batchCount: 2 })).map(({ length }) => length)).toEqual([2, 2, 1]);
  });

  it('should yield batches of bounded size', async () => {
    const outcomes = Array.from({ length: 5 }, () => mail(5 * MIB));
    // A batch ends with the message that takes it to 8 MiB.
    expect((await stream(outcomes)).map(({ length }) => length)).toEqual([2, 2, 1]);
  });

  it('should throw when too many messages in a row are unavailable', async () => {
    await expect(stream([later(), later(), later()])).rejects.toThrow(ProviderUnavailable);
  });

  it('should not mistake unavailable messages among others for an outage', async () => {
    expect((await stream([later(), later(), mail(), later(), later()])).flat()).toHaveLength(5);
  });
});
