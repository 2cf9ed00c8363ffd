import type { Lane } from '../job-definition';
import type { ClaimedJob } from '../records/job-record';

export interface LaneWorkerPorts {
  claim(lane: Lane): Promise<ClaimedJob | null>;
  run(job: ClaimedJob): Promise<void>;
}

/** This process's share of a lane: claims and runs jobs, at most `concurrency` at a time. */
export class LaneWorker {
  private busy = 0;
  private wokenMeanwhile = false;
  private stopped = false;

  constructor(
    private readonly lane: Lane,
    private readonly concurrency: number,
    private readonly ports: LaneWorkerPorts,
  ) {}

  get freeSlots(): number {
    return this.stopped ? 0 : this.concurrency - this.busy;
  }

  /** Works until nothing is runnable. Returns at once when all slots are busy: they will look again. */
  async work(): Promise<void> {
    if (this.stopped) return;
    // A claim that is already on its way may not see what this call is about.
    this.wokenMeanwhile = true;
    if (this.freeSlots <= 0) return;
    this.busy += 1;
    try {
      while (!this.stopped) {
        this.wokenMeanwhile = false;
        const job = await this.ports.claim(this.lane);
        if (job) await this.ports.run(job);
        else if (!this.wokenMeanwhile) return;
      }
    } finally {
      this.busy -= 1;
    }
  }

  /** Claims nothing more. */
  stop(): void {
    this.stopped = true;
  }
}
