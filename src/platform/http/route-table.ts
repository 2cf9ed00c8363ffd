import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';

interface RouterLayer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The router's table of the methods that a path takes. Used for 405 answers and by the spec that walks all routes. */
@Injectable()
export class RouteTable {
  constructor(private readonly adapter: HttpAdapterHost) {}

  /**
   * Upper-case methods registered for a concrete path, HEAD included wherever GET is; empty for unknown paths. A route
   * that names the path wins over one that would take a part of it for a parameter: `/reorder` is no `/:searchId`. A
   * path that cannot be decoded is unknown.
   */
  methodsOf(path: string): string[] {
    const methods = new Set<string>();
    let fewest = Infinity;
    for (const layer of this.layers()) {
      if (!layer.route || !matches(layer, path)) continue;
      const parameters = parametersOf(layer.route.path);
      if (parameters > fewest) continue;
      if (parameters < fewest) methods.clear();
      fewest = parameters;
      for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
    }
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  }

  /** Every registered route as `METHOD /path/:param`. */
  all(): { method: string; path: string }[] {
    return this.layers().flatMap((layer) =>
      layer.route
        ? Object.keys(layer.route.methods).map((method) => ({
            method: method.toUpperCase(),
            path: layer.route!.path,
          }))
        : [],
    );
  }

  private layers(): RouterLayer[] {
    const express = this.adapter.httpAdapter.getInstance<Express & { router: { stack: RouterLayer[] } }>();
    return express.router.stack;
  }
}

/** The router throws at a parameter with a `%` that encodes nothing. */
function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch (error) {
    if ((error as { status?: unknown }).status === 400) return false;
    throw error;
  }
}

const parametersOf = (path: string): number => path.match(/[:*]/g)?.length ?? 0;
