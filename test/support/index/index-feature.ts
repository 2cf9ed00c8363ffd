import { MessageIndexModule } from '../../../src/mailbox/index/message-index.module';
import { startFeature, type Feature } from '../medium/feature';
import { IndexFixture } from './index-fixture';

/** The message index without the rest of the service. */
export class IndexFeature extends IndexFixture<Feature> {
  static async start(): Promise<IndexFeature> {
    const sut = await startFeature({ modules: [MessageIndexModule] });
    return new IndexFeature(sut, await sut.user());
  }

  /** By method of the provider; metadata is counted by message. */
  calls(): Record<string, number> {
    const { calls } = this.sut.provider;
    this.sut.provider.resetCalls();
    return calls;
  }
}
