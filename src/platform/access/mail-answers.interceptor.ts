import {
  applyDecorators,
  CallHandler,
  ExecutionContext,
  Injectable,
  NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { linkedSignal } from '../concurrency/abortable';
import { FairSemaphore } from '../concurrency/fair-semaphore';
import type { Share } from '../concurrency/semaphore';
import { TooManyAtOnce } from '../database/database.errors';
import { ClientGone } from '../http/client-signal';
import { cutWhenStalled } from '../http/ranged-downloads';
import { setTimeout } from '../concurrency/timers';

const SENDS_MAIL = 'mailroom:sends-mail';

/** `stream`: some megabytes at a time. `whole`: up to a whole mail, as often as its encoding needs it. */
type AnswerKind = 'stream' | 'whole';

/** Weights by the memory that answers hold, in units of a stream: three megabytes against a mail of some ten. */
const WEIGHTS: Readonly<Record<AnswerKind, number>> = { stream: 1, whole: 4 };
/** 16 downloads or 4 whole mails of a user, 128 or 32 of all together: half a gigabyte as long as mails are of usual size. */
const LIMITS = { capacity: 128, perKey: 16 };
/** The longest wait for a turn: longer than a usual connection needs for a mail, and shorter than people wait. */
const TURN_MS = 10_000;
/** 25 MiB, the largest mail that is sent in one piece, over 128 kbit/s. */
const LONGEST_WHOLE_MS = 30 * 60_000;

/** The answers with the content of mails that are under way, of all routes. */
@Injectable()
export class MailAnswers extends FairSemaphore {
  constructor() {
    super(LIMITS);
  }
}

/** Bounds the answers with the content of mails that each user has under way, until the client has read them. */
@Injectable()
export class MailAnswersInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly answers: MailAnswers,
  ) {}

  /** @throws TooManyAtOnce when no turn comes in time */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const kind = this.reflector.get<AnswerKind | undefined>(SENDS_MAIL, context.getHandler());
    const http = context.switchToHttp();
    const { user } = http.getRequest<Request>();
    if (!kind || !user) return next.handle();
    const response = http.getResponse<Response>();
    // Gone while the guards were asked: nothing tells of it any more.
    if (response.closed) throw new ClientGone();
    const left = new AbortController();
    const atClose: (() => void)[] = [() => left.abort(new ClientGone())];
    // One listener for everything: the streams of a download need most of those a response may have.
    response.once('close', () => {
      for (const end of atClose) end();
    });
    if (kind === 'whole') atClose.push(endInTime(response));
    const share = await this.waitForTurn(user.id, WEIGHTS[kind], left.signal);
    atClose.push(() => share.release());
    if (left.signal.aborted) share.release();
    return next.handle();
  }

  private async waitForTurn(userId: string, weight: number, left: AbortSignal): Promise<Share> {
    const waiting = linkedSignal(left, TURN_MS, () => new TooManyAtOnce());
    try {
      return await this.answers.reserve(userId, weight, waiting.signal);
    } finally {
      waiting.release();
    }
  }
}

/** A stream goes on as long as it is read; what lies in memory as a whole is to be taken at a minimum pace. */
function endInTime(response: Response): () => void {
  cutWhenStalled(response);
  const timer = setTimeout(() => response.destroy(), LONGEST_WHOLE_MS).unref();
  return () => clearTimeout(timer);
}

/**
 * A route whose answer is the content of mails. It is in memory until the client has taken it, which is up to the
 * client: each user may have some of them under way, further ones wait.
 */
export const SendsMail = (kind: AnswerKind): MethodDecorator =>
  applyDecorators(SetMetadata(SENDS_MAIL, kind), UseInterceptors(MailAnswersInterceptor));
