import type { LoggerService } from '@nestjs/common';
import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import { API_TEXTS } from './api-texts';
import { AppModule } from './app.module';
import { answerClientError, closeConnectionsOnShutdown, drainUnreadBody } from './platform/http/connections';
import { cookies } from './platform/http/fast-path/cookies';
import { fixedHeaders } from './platform/http/fast-path/fixed-headers';
import { JsonAnswersAdapter } from './platform/http/fast-path/json-answers.adapter';
import { requestContext } from './platform/http/request-context';
import { httpMetrics } from './platform/logging/metrics';
import type { AppConfig } from './platform/config/app-config';
import { createOpenApiDocument } from './openapi-document';
import { webClient } from './operations/web-client/web-client';

/** Routes outside the `/api` prefix: probes and metrics. */
const UNPREFIXED = ['health/live', 'health/ready', 'metrics'];

const HEADERS_TIMEOUT_MS = 60_000;
/** Longer than proxies keep an idle connection (60 s mostly), so that none sends into one that is just being closed. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Security headers of all answers but those of the web client. What must be https is asked for only where the application is
 * served that way.
 */
function securityHeaders(
  config: AppConfig,
  scriptSrc: readonly string[] = ["'self'"],
): ReturnType<typeof helmet> {
  const isHttps = config.http.appUrl.startsWith('https:');
  return helmet({
    hsts: isHttps,
    crossOriginResourcePolicy: { policy: 'same-site' },
    contentSecurityPolicy: {
      directives: {
        scriptSrc: [...scriptSrc],
        imgSrc: ["'self'", 'data:'],
        upgradeInsecureRequests: isHttps ? [] : null,
      },
    },
  });
}

/** The page of the documentation brings inline scripts. */
const DOCUMENTATION_SCRIPTS = ["'self'", "'unsafe-inline'"];

/** Answers hold mail: neither browsers nor proxies keep them. */
const neverCache: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'private, no-store');
  next();
};

const EXPOSED_HEADERS = [
  'Content-Disposition',
  'Upload-Offset',
  'X-Trackers-Removed',
  'X-Remote-Content-Blocked',
];

/** Lets the application's own pages at another origin read the answers, with the session of their user. */
function sharedWith(origin: string): RequestHandler {
  return (_request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Vary', 'Origin');
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS.join(','));
    next();
  };
}

/** Builds the application as every process and every test runs it; listening is the caller's business. */
export async function createApp(config: AppConfig, logger: LoggerService): Promise<NestExpressApplication> {
  const options = { logger, bodyParser: false, bufferLogs: false, abortOnError: false };
  const module = AppModule.with(config);
  const app = await NestFactory.create<NestExpressApplication>(module, new JsonAnswersAdapter(), options);
  app.set('trust proxy', config.http.trustProxy);
  app.set('etag', false);
  app.disable('x-powered-by');
  app.setGlobalPrefix('api', { exclude: UNPREFIXED });
  const { origin } = new URL(config.http.appUrl);
  app.use(requestContext, httpMetrics, drainUnreadBody);
  app.use(fixedHeaders(securityHeaders(config), sharedWith(origin), neverCache));
  app.use(webClient());
  app.use('/api/docs', fixedHeaders(securityHeaders(config, DOCUMENTATION_SCRIPTS)));
  // Answers the preflight requests of browsers; other answers have the headers of `sharedWith` already.
  const preflight: CorsOptions = { origin, credentials: true, exposedHeaders: EXPOSED_HEADERS };
  app.enableCors((request: Request, decide: (error: null, options: CorsOptions) => void) =>
    decide(null, request.method === 'OPTIONS' ? preflight : { origin: false }),
  );
  app.use(cookies());
  SwaggerModule.setup('api/docs', app, () => createOpenApiDocument(app, API_TEXTS), {
    jsonDocumentUrl: 'api/openapi.json',
    raw: ['json'],
  });
  const server = app.getHttpServer();
  server.on('clientError', answerClientError);
  closeConnectionsOnShutdown(server);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // Uploads may take hours: the reader of a body limits the time it may take.
  server.requestTimeout = 0;
  return app;
}
