import { NestFactory } from '@nestjs/core';
import type { LoggerService } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import cookieParser from 'cookie-parser';
import { json, NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { AppModule } from './app.module';
import { requireKnownMediaType } from './common/http/media-type.middleware';
import { requestContext } from './common/http/request-context.middleware';
import { httpMetrics } from './common/metrics/http-metrics.middleware';
import { createOpenApiDocument } from './common/openapi/openapi-document';
import type { AppConfig } from './config/app-config';

/** Routes outside the `/api` prefix: probes and metrics. */
const UNPREFIXED = ['health/live', 'health/ready', 'metrics'];

/** Routes that take tens of thousands of ids; every other body is small, and parsed before anybody is known. */
const LONG_LISTS =
  /^\/api\/(mailbox\/[^/]+\/messages\/bulk|archive\/[^/]+\/(archive|export-zip)|import\/[^/]+\/export-mbox)\/?$/;

/** Answers hold mail: neither browsers nor proxies keep them. */
function neverCache(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'private, no-store');
  next();
}

/** Builds the application as every process and every test runs it; listening is the caller's business. */
export async function createApp(config: AppConfig, logger: LoggerService): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config), {
    logger,
    bodyParser: false,
    bufferLogs: false,
    abortOnError: false,
  });
  app.set('trust proxy', config.http.trustProxy);
  app.set('etag', false);
  app.disable('x-powered-by');
  app.setGlobalPrefix('api', { exclude: UNPREFIXED });
  app.use(requestContext, httpMetrics);
  // Swagger's page brings inline scripts; nothing else here serves HTML.
  app.use('/api/docs', helmet({ contentSecurityPolicy: false }));
  app.use(/^(?!\/api\/docs)/, helmet({ crossOriginResourcePolicy: { policy: 'same-site' } }));
  app.use('/api', neverCache);
  app.enableCors({
    origin: new URL(config.http.appUrl).origin,
    credentials: true,
    exposedHeaders: ['Content-Disposition'],
  });
  app.use(cookieParser(), requireKnownMediaType);
  app.use(LONG_LISTS, json({ limit: config.http.maxJsonBytes }));
  app.use(json({ limit: config.http.defaultJsonBytes }));
  SwaggerModule.setup('api/docs', app, () => createOpenApiDocument(app), {
    jsonDocumentUrl: 'api/openapi.json',
  });
  return app;
}
