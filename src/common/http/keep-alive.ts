import { Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';

/** Longer than proxies keep idle connections (60 s is usual), or a request meets one that is just being closed. */
const KEEP_ALIVE_MS = 75_000;

/** How long idle connections are kept: longer than proxies keep theirs, and no longer once the process is to end. */
@Injectable()
export class KeepAlive implements OnModuleInit, OnModuleDestroy {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    this.server.keepAliveTimeout = KEEP_ALIVE_MS;
  }

  /** A connection whose last answer ends after the server was closed would keep it waiting. */
  onModuleDestroy(): void {
    this.server.keepAliveTimeout = 1;
  }

  private get server(): Server {
    return this.host.httpAdapter.getHttpServer() as Server;
  }
}
