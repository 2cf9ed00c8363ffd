import type { DataSource } from 'typeorm';
import type { SandboxMailbox } from '../../sandbox/src/sandbox-server';
import type { ApiAnswer } from './api-client';

interface Headed {
  readonly headers?: Record<string, string>;
}

/** Calls of a user, over HTTP or past it. */
export interface UserApi {
  get<T = any>(path: string, request?: Headed): Promise<ApiAnswer<T>>;
  post<T = any>(path: string, body?: unknown, request?: Headed): Promise<ApiAnswer<T>>;
  put<T = any>(path: string, body?: unknown, request?: Headed): Promise<ApiAnswer<T>>;
  patch<T = any>(path: string, body?: unknown, request?: Headed): Promise<ApiAnswer<T>>;
  delete<T = any>(path: string, request?: Headed): Promise<ApiAnswer<T>>;
}

/** A user of the service, in either tier. */
export interface ServiceUser {
  readonly id: string;
  readonly email: string;
  readonly api: UserApi;
  /** Connects a mailbox; `name-<count>@…` has that many generated messages. @returns the account's id */
  connect(mailbox: string): Promise<string>;
  /** Waits until a job has ended, whatever way, or runs it, and returns its record. */
  jobEnd(jobId: string, timeoutMs?: number): Promise<any>;
}

/** Finds a provider of the service. */
export interface Providers {
  get<T>(token: abstract new (...parameters: never[]) => T): T;
}

/** The service that fixtures of both tiers need: the whole (`TestApp`), or a feature of it (`Feature`). */
export interface TestedService extends Providers {
  readonly dataSource: DataSource;
  readonly archiveDir: string;
  mailbox(email: string): SandboxMailbox;
  /** Calls for a mailbox since the last reset, by the provider's endpoint. */
  providerCalls(email: string): Readonly<Record<string, number>>;
}
