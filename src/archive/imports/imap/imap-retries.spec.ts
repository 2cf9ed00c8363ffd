import { ImapServerFailure } from '../../../providers/imap/one-time/imap-server-failure';
import { ImapRetries } from './imap-retries';
import { UidSet } from '../../../providers/imap/session/uid-set';

const LOST = new ImapServerFailure('imap-connection-lost', 'lost');
const NONSENSE = new ImapServerFailure('imap-protocol-error', 'nonsense');

describe('ImapRetries', () => {
  let sut: ImapRetries;
  beforeEach(() => {
    sut = new ImapRetries();
  });

  const fail = (uids: number[], done: number, failure = LOST) => {
    sut.begin(uids);
    return sut.decideAfter(failure, done);
  };

  it('should read messages that failed together one by one, and later ones in pages', () => {
    const uids = UidSet.parse('1:1500');
    expect([...sut.pages(uids)].map((page) => page.length)).toEqual([1_000, 500]);
    expect(fail([1, 2, 3], 0)).toEqual({ skip: null, pauseMs: 500 });
    expect([...sut.pages(uids)].map((page) => page.length)).toEqual([1, 1, 1, 1_000, 497]);
  });

  it.each([LOST, NONSENSE])('should skip a message that fails alone for the second time', (failure) => {
    fail([1, 2, 3], 0, failure);
    expect(fail([2], 1, failure).skip).toBeNull();
    expect(fail([2], 1, failure).skip).toBe(2);
    expect(fail([3], 2, failure).skip).toBeNull();
  });

  it('should try a message that was always alone three times', () => {
    expect([1, 2, 3].map(() => fail([7], 0).skip)).toEqual([null, null, 7]);
  });

  it('should give up, with growing delays, when connections are lost without any message to blame', () => {
    const pauses = [1, 2, 3, 4, 5].map(() => fail([], 3).pauseMs);
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
    expect(() => fail([], 3)).toThrow(LOST);
  });

  it('should reset its count after progress', () => {
    for (let done = 0; done < 20; done += 1) expect(fail([], done).pauseMs).toBe(500);
  });

  it('should skip a message that arrives too slowly, and give up on a server where all do', () => {
    const slow = new ImapServerFailure('imap-too-slow', 'slow');
    expect(fail([1, 2, 3], 0, slow).skip).toBeNull();
    expect(fail([2], 1, slow).skip).toBeNull();
    expect(fail([2], 1, slow).skip).toBe(2);
    expect(() => fail([3], 2, slow)).toThrow(slow);
    sut.succeed();
    expect(fail([3], 2, slow).skip).toBeNull();
  });

  it('should give up on a server that returns nothing at all', () => {
    const skipped: (number | null)[] = [];
    const all = Array.from({ length: 100 }, (_, n) => n + 1);
    fail(all, 0);
    expect(() => {
      for (const uid of all) {
        fail([uid], uid - 1);
        skipped.push(fail([uid], uid - 1).skip);
      }
    }).toThrow(LOST);
    expect(skipped).toHaveLength(20);
  });

  it('should never give up because of messages among others that can be read', () => {
    fail([1, 2], 0);
    for (let uid = 1; uid < 200; uid += 2) {
      fail([uid, uid + 1], uid);
      fail([uid], uid);
      expect(fail([uid], uid).skip).toBe(uid);
      sut.begin([uid + 1]);
      sut.succeed();
    }
  });

  it('should not retry after a permanent failure', () => {
    expect(() => fail([], 0, NONSENSE)).toThrow(NONSENSE);
    const refused = new ImapServerFailure('imap-login-failed', 'refused');
    expect(() => fail([1], 0, refused)).toThrow(refused);
  });
});
