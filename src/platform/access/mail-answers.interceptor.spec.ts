import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { EventEmitter } from 'node:events';
import { of } from 'rxjs';
import { MailAnswers, MailAnswersInterceptor, SendsMail } from './mail-answers.interceptor';

class Routes {
  @SendsMail('whole')
  whole(): void {}

  @SendsMail('stream')
  stream(): void {}

  other(): void {}
}

/** An answer under way, until the client has taken it or is gone. */
class Answer extends EventEmitter {
  begun = false;
  closed = false;
  writableFinished = false;
  refusal: unknown = null;
  destroy = jest.fn();

  setTimeout(): this {
    return this;
  }

  close(): void {
    this.closed = true;
    this.emit('close');
  }
}

describe('MailAnswersInterceptor', () => {
  let sut: MailAnswersInterceptor;

  beforeEach(() => {
    jest.useFakeTimers();
    sut = new MailAnswersInterceptor(new Reflector(), new MailAnswers());
  });

  afterEach(() => jest.useRealTimers());

  const settle = (): Promise<unknown> => jest.advanceTimersByTimeAsync(0);

  async function request(userId: string | null, route: keyof Routes, answer = new Answer()): Promise<Answer> {
    const context = {
      getHandler: () => Routes.prototype[route],
      switchToHttp: () => ({
        getRequest: () => ({ user: userId === null ? null : { id: userId } }),
        getResponse: () => answer,
      }),
    } as unknown as ExecutionContext;
    const next: CallHandler = {
      handle: () => {
        answer.begun = true;
        return of(undefined);
      },
    };
    sut.intercept(context, next).catch((error: unknown) => (answer.refusal = error));
    await settle();
    return answer;
  }

  async function requests(count: number, userId: string, route: keyof Routes): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let n = 0; n < count; n += 1) answers.push(await request(userId, route));
    return answers;
  }

  const begun = (answers: readonly Answer[]): number => answers.filter((answer) => answer.begun).length;

  it('should limit each user to 4 whole mails at a time, however much they leave unread, and not affect others', async () => {
    const hostile = await requests(10, 'hostile', 'whole');
    expect(begun(hostile)).toBe(4);
    expect((await request('other', 'whole')).begun).toBe(true);
    hostile[0]!.close();
    await settle();
    expect(begun(hostile)).toBe(5);
  });

  it('should count streams for less', async () => {
    expect(begun(await requests(20, 'user', 'stream'))).toBe(16);
  });

  it('should not count other routes, nor requests without a user', async () => {
    await requests(4, 'user', 'whole');
    expect((await request('user', 'other')).begun).toBe(true);
    expect((await request(null, 'whole')).begun).toBe(true);
  });

  it('should refuse an answer that does not get its turn', async () => {
    await requests(4, 'user', 'whole');
    const late = await request('user', 'whole');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(late.refusal).toMatchObject({ code: 'too-many-requests', status: 429 });
  });

  it('should forget callers that leave while waiting, and not wait for one that left before its turn', async () => {
    const [first] = await requests(4, 'user', 'whole');
    const waiting = await request('user', 'whole');
    waiting.close();
    await settle();
    expect(waiting.refusal).toMatchObject({ code: 'client-gone' });
    first!.close();
    expect((await request('user', 'whole')).begun).toBe(true);
  });

  it('should give no turn to a caller that left before requesting it', async () => {
    for (let n = 0; n < 8; n += 1) {
      const answer = new Answer();
      answer.close();
      await request('user', 'whole', answer);
      expect([answer.begun, answer.refusal]).toEqual([
        false,
        expect.objectContaining({ code: 'client-gone' }),
      ]);
    }
    expect(begun(await requests(4, 'user', 'whole'))).toBe(4);
  });

  it('should cut a whole mail that is not read within half an hour', async () => {
    const answer = await request('user', 'whole');
    await jest.advanceTimersByTimeAsync(29 * 60_000);
    expect(answer.destroy).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(2 * 60_000);
    expect(answer.destroy).toHaveBeenCalled();
  });
});
