import { Controller, Get, Header, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { createHash, timingSafeEqual } from 'node:crypto';
import { register } from 'prom-client';
import { Public } from '../../platform/access/policies';
import { Unauthenticated } from '../../platform/access/access.errors';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { NoRateLimit } from '../../platform/rate-limit/rate-limit-decorators';
import { AppConfig } from '../../platform/config/app-config';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Prometheus metrics. In production they are served only when `METRICS_TOKEN` is set, and only with that token; elsewhere they
 * are open as long as no token is set.
 */
@ApiExcludeController()
@Public()
@NoRateLimit()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly config: AppConfig) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  async metrics(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.authorise(request.get('authorization') ?? '');
    response.type(register.contentType).send(await register.metrics());
  }

  private authorise(header: string): void {
    const { token } = this.config.metrics;
    if (!token) {
      if (this.config.production) throw new ResourceNotFound('page');
      return;
    }
    if (!timingSafeEqual(digest(header), digest(`Bearer ${token}`))) throw new Unauthenticated();
  }
}
