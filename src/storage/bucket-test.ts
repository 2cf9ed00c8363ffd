import { Injectable } from '@nestjs/common';
import { newId } from '../common/database/ids';
import { EgressGuard } from '../common/egress/egress-guard';
import { Bucket } from './object-store/bucket';
import { explainFailure, ObjectStoreFailure } from './object-store/object-store-failure';
import { OutageRetry } from './object-store/outage-retry';
import type { ObjectStoreCredentials, ObjectStoreLocation } from './object-store/object-store-location';

const LIMITS = { answerMs: 8_000 };
/** Enough for a connection that is lost once; a store that is away shall say so soon. */
const PATIENCE_MS = 1_000;
const FOLDER = 'mailroom-test';

/** Tries whether a bucket can be used. */
@Injectable()
export class BucketTest {
  constructor(private readonly guard: EgressGuard) {}

  /**
   * Writes an object, reads it, finds it in the listing and deletes it: all that an archive needs to be able to do. The
   * bucket is created if there is none.
   * @returns what is wrong, null when nothing is
   */
  async perform(
    place: ObjectStoreLocation,
    credentials: ObjectStoreCredentials,
  ): Promise<ObjectStoreFailure | null> {
    let bucket: Bucket | undefined;
    try {
      bucket = new Bucket(place, credentials, this.guard);
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
    const call = <T>(work: () => Promise<T>): Promise<T> => outage.call({ patienceMs: PATIENCE_MS }, work);
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
      if (!read.equals(content)) throw strange('it gives back something else than it was given');
      const { objects } = await call(() => bucket.page(key, '', LIMITS));
      if (!objects.some((object) => object.key === key)) throw strange('it does not list what it was given');
    } finally {
      await call(() => bucket.remove(key, LIMITS));
    }
  }

  private async read(bucket: Bucket, key: string): Promise<Buffer> {
    const signal = AbortSignal.timeout(LIMITS.answerMs);
    const { body } = await bucket.open(key, 0, undefined, { ...LIMITS, signal });
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
}

const strange = (reason: string): ObjectStoreFailure => new ObjectStoreFailure('refused', reason);
