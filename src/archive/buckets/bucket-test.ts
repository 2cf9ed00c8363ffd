import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/crypto/ids';
import { EgressGuard } from '../../platform/egress/egress-guard';
import { Bucket } from './object-store/bucket';
import { LISTING_START } from './object-store/listing-position';
import { explainFailure, ObjectStoreFailure } from './object-store/object-store-failure';
import { OutageRetry } from './object-store/outage-retry';
import type { ObjectStoreCredentials, ObjectStoreLocation } from './object-store/object-store-location';
import { timeoutSignal } from '../../platform/concurrency/timers';

const LIMITS = { answerMs: 8_000 };
/** Time for which the test retries: enough for one lost connection; an outage should be reported soon. */
const WAIT_MS = 1_000;
const FOLDER = 'mailroom-test';

/** Tests whether a bucket can be used. */
@Injectable()
export class BucketTest {
  constructor(private readonly guard: EgressGuard) {}

  /**
   * Writes, reads, lists and deletes an object, which is all an archive needs. Creates the bucket if there is none.
   * @returns the failure; null when the bucket can be used
   */
  async run(
    userId: string,
    location: ObjectStoreLocation,
    credentials: ObjectStoreCredentials,
  ): Promise<ObjectStoreFailure | null> {
    let bucket: Bucket | undefined;
    try {
      bucket = new Bucket(location, credentials, this.guard, userId);
      await this.exercise(bucket);
      return null;
    } catch (error) {
      const failure = explainFailure(error);
      if (!failure) throw error;
      return failure;
    } finally {
      bucket?.close();
    }
  }

  private async exercise(bucket: Bucket): Promise<void> {
    const outage = new OutageRetry();
    const call = <T>(work: () => Promise<T>): Promise<T> => outage.call({ waitMs: WAIT_MS }, work);
    const key = `${FOLDER}/${newId()}.txt`;
    const content = Buffer.from(`Mailroom was here: ${key}\n`);
    const put = (): Promise<void> => call(() => bucket.put(key, content, LIMITS));
    await put().catch(async (error: unknown) => {
      if (!(error instanceof ObjectStoreFailure) || error.kind !== 'no-bucket') throw error;
      await call(() => bucket.create(LIMITS));
      await put();
    });
    try {
      const read = await call(() => this.read(bucket, key));
      if (!read.equals(content)) throw strange('it returns other bytes than were written');
      const { objects } = await call(() => bucket.listPage(key, LISTING_START, LIMITS));
      if (!objects.some((object) => object.key === key))
        throw strange('it does not list an object that was written');
    } finally {
      await call(() => bucket.remove(key, LIMITS));
    }
  }

  private async read(bucket: Bucket, key: string): Promise<Buffer> {
    const signal = timeoutSignal(LIMITS.answerMs);
    const { body } = await bucket.open(key, 0, undefined, { ...LIMITS, signal });
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
}

const strange = (reason: string): ObjectStoreFailure => new ObjectStoreFailure('refused', reason);
