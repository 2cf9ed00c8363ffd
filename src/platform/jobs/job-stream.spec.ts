import type { JobRecord } from './job-record';
import { JobQueue } from './job-queue';
import { JobStream } from './job-stream';
import type { SseOutlet } from '../sse/sse-connection';
import type { SseMessage } from '../sse/sse-message';

class FakeConnection implements SseOutlet {
  congested = false;
  readonly sent: SseMessage[] = [];
  private drained: () => void = () => undefined;

  send(message: SseMessage): void {
    this.sent.push(message);
  }

  onDrain(listener: () => void): void {
    this.drained = listener;
  }

  drain(): void {
    this.congested = false;
    this.drained();
  }

  get processed(): number[] {
    return this.sent.map((message) => (message.data as { processed: number }).processed);
  }
}

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

const aRecord = (changes: Partial<JobRecord>): JobRecord => ({
  id: 'a',
  jobId: 'scan_pii-1',
  number: 1,
  type: 'scan_pii',
  lane: JobQueue.Scan,
  userId: 'u',
  accountId: null,
  status: 'active',
  total: 10,
  processed: 0,
  failed: 0,
  result: null,
  error: null,
  errorCode: null,
  dueAt: null,
  waitsFor: null,
  waitsUntil: null,
  resumptions: 0,
  leased: true,
  createdAt: at(0),
  startedAt: at(0),
  completedAt: null,
  updatedAt: at(1),
  ...changes,
});

describe('JobStream', () => {
  let connection: FakeConnection;
  let ended: jest.Mock;
  let sut: JobStream;

  beforeEach(() => {
    jest.useFakeTimers();
    connection = new FakeConnection();
    ended = jest.fn();
    sut = new JobStream(connection, 250, ended);
  });

  afterEach(() => {
    sut.close();
    jest.useRealTimers();
  });

  it('should send at most four updates a second, including the last one', () => {
    for (let processed = 0; processed < 10; processed += 1) {
      sut.show(aRecord({ processed }));
      jest.advanceTimersByTime(50);
    }
    jest.advanceTimersByTime(250);
    expect(connection.processed).toEqual([0, 4, 9]);
  });

  it('should not go back in time', () => {
    sut.show(aRecord({ processed: 5, updatedAt: at(5) }));
    sut.show(aRecord({ processed: 3, updatedAt: at(3) }));
    jest.advanceTimersByTime(1_000);
    expect(connection.processed).toEqual([5]);
  });

  it('should not repeat what the table only confirms', () => {
    sut.show(aRecord({ processed: 5 }));
    jest.advanceTimersByTime(1_000);
    sut.catchUp(aRecord({ processed: 4 }));
    jest.advanceTimersByTime(1_000);
    expect(connection.processed).toEqual([5]);
    sut.catchUp(aRecord({ processed: 6, updatedAt: at(2) }));
    expect(connection.processed).toEqual([5, 6]);
  });

  it('should end a job once, and ignore stragglers', () => {
    sut.show(aRecord({ processed: 1 }));
    sut.show(aRecord({ processed: 10, status: 'completed', completedAt: at(9), updatedAt: at(9) }));
    expect(ended).not.toHaveBeenCalled();
    jest.advanceTimersByTime(250);
    expect(ended).toHaveBeenCalledTimes(1);
    sut.show(aRecord({ processed: 9 }));
    jest.advanceTimersByTime(1_000);
    expect(connection.processed).toEqual([1, 10]);
    expect(sut.openIds).toEqual([]);
  });

  it('should send a job again that is resumed after its end', () => {
    sut.show(aRecord({ processed: 4, status: 'failed', completedAt: at(9), updatedAt: at(9) }));
    jest.advanceTimersByTime(250);
    sut.catchUp(aRecord({ processed: 3, status: 'pending', updatedAt: at(20) }));
    jest.advanceTimersByTime(250);
    sut.show(aRecord({ processed: 10, status: 'completed', completedAt: at(30), updatedAt: at(30) }));
    jest.advanceTimersByTime(250);
    expect(connection.processed).toEqual([4, 3, 10]);
    expect(ended).toHaveBeenCalledTimes(2);
  });

  it('should hold updates back while the client does not read, and then send only the latest', () => {
    connection.congested = true;
    for (let processed = 0; processed < 5; processed += 1) {
      sut.show(aRecord({ processed }));
      jest.advanceTimersByTime(300);
    }
    expect(connection.sent).toEqual([]);
    connection.drain();
    expect(connection.processed).toEqual([4]);
  });
});
