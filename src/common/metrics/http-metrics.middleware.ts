import type { NextFunction, Request, Response } from 'express';
import { histogram } from './metrics';

const duration = histogram({
  name: 'mailroom_http_request_duration_seconds',
  help: 'Time to answer HTTP requests, by route pattern; event streams are left out',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
});

/** Times every request under its route pattern (never the path: ids would be one series each). */
export function httpMetrics(request: Request, response: Response, next: NextFunction): void {
  const stop = duration.startTimer();
  response.once('close', () => {
    if (String(response.getHeader('content-type')).startsWith('text/event-stream')) return;
    const route = (request.route as { path?: string } | undefined)?.path ?? 'unmatched';
    stop({ method: request.method, route, status: String(response.statusCode) });
  });
  next();
}
