import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import cookieParser from 'cookie-parser';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { API_TEXTS } from './api-texts';
import { AppModule } from './app.module';
import { answerClientError, closeConnectionsOnShutdown, drainUnreadBody } from './common/http/connections';
import { requestContext } from './common/http/request-context';
import { httpMetrics } from './common/logging/metrics';
import type { AppConfig } from './config/app-config';
import { createOpenApiDocument } from './openapi-document';

/** Routes outside the `/api` prefix: probes and metrics. */
const UNPREFIXED = ['health/live', 'health/ready', 'metrics'];

const HEADERS_TIMEOUT_MS = 60_000;
/** Longer than proxies keep an idle connection (60 s mostly), so that none sends into one that is just being closed. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Security headers. Only the documentation is HTML, and its page brings inline scripts and styles; what must be
 * https is asked for only where the application is served that way.
 */
function securityHeaders(config: AppConfig): ReturnType<typeof helmet> {
  const isHttps = config.http.appUrl.startsWith('https:');
  return helmet({
    hsts: isHttps,
    crossOriginResourcePolicy: { policy: 'same-site' },
    contentSecurityPolicy: {
      directives: {
        scriptSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        upgradeInsecureRequests: isHttps ? [] : null,
      },
    },
  });
}

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
  app.use(requestContext, httpMetrics, drainUnreadBody);
  app.use(securityHeaders(config));
  app.use('/api', neverCache);
  app.enableCors({
    origin: new URL(config.http.appUrl).origin,
    credentials: true,
    exposedHeaders: ['Content-Disposition', 'X-Trackers-Removed', 'X-Remote-Content-Blocked'],
  });
  app.use(cookieParser());
  SwaggerModule.setup('api/docs', app, () => createOpenApiDocument(app, API_TEXTS), {
    jsonDocumentUrl: 'api/openapi.json',
    raw: ['json'],
  });
  const server = app.getHttpServer();
  server.on('clientError', answerClientError);
  closeConnectionsOnShutdown(server);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // Uploads may take hours: whoever reads a body limits the time it may take.
  server.requestTimeout = 0;
  return app;
}
