import { Injectable, OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { definedJobs, HANDLES_JOB, JobDefinition, JobHandler } from './job-definition';

/** The job kinds of this build do not fit together; the service must not start. */
export class JobKindsInvalid extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Job kinds are not set up right:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.name = 'JobKindsInvalid';
  }
}

/** A provider class marked with `@HandlesJob`. */
export interface HandlerProvider {
  readonly name: string;
  readonly definition: JobDefinition;
  readonly instance: JobHandler<object>;
}

export interface RegisteredJob {
  readonly definition: JobDefinition;
  readonly handler: JobHandler<object>;
}

/**
 * Every kind has one definition and one handler.
 * @throws JobKindsInvalid naming every fault and its remedy
 */
export function pairHandlers(
  definitions: readonly JobDefinition[],
  providers: readonly HandlerProvider[],
): Map<string, RegisteredJob> {
  const problems: string[] = [];
  const jobs = new Map<string, RegisteredJob>();
  const all = new Set([...definitions, ...providers.map((provider) => provider.definition)]);
  for (const definition of all) {
    const { kind } = definition;
    const handlers = providers.filter((provider) => provider.definition === definition);
    if (jobs.has(kind)) problems.push(`"${kind}" is defined twice: give one of them another kind`);
    if (handlers.length === 0) {
      problems.push(
        `"${kind}" has no handler: add the class with @HandlesJob to the providers of its module`,
      );
    }
    if (handlers.length > 1) {
      problems.push(`"${kind}" has several handlers: ${handlers.map((handler) => handler.name).join(', ')}`);
    }
    if (handlers[0]) jobs.set(kind, { definition, handler: handlers[0].instance });
  }
  if (problems.length > 0) throw new JobKindsInvalid(problems);
  return jobs;
}

/** The kinds that must have a handler here: all that the loaded code defines. */
@Injectable()
export class ExpectedJobs {
  list(): readonly JobDefinition[] {
    return definedJobs();
  }
}

/** Job kinds and their handlers, found at boot. */
@Injectable()
export class JobRegistry implements OnModuleInit {
  private jobs: ReadonlyMap<string, RegisteredJob> = new Map();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly expected: ExpectedJobs,
  ) {}

  onModuleInit(): void {
    this.jobs = pairHandlers(this.expected.list(), this.discoverHandlers());
  }

  /** undefined for a kind of another version of the service. */
  find(kind: string): RegisteredJob | undefined {
    return this.jobs.get(kind);
  }

  private discoverHandlers(): HandlerProvider[] {
    return this.discovery.getProviders().flatMap((wrapper) => {
      const { metatype } = wrapper;
      const definition = metatype
        ? (Reflect.getMetadata(HANDLES_JOB, metatype) as JobDefinition | undefined)
        : undefined;
      if (!definition) return [];
      return [{ name: String(wrapper.name), definition, instance: wrapper.instance as JobHandler<object> }];
    });
  }
}
