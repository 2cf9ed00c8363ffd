import { JobDefinition, JobHandler } from './job-definition';
import { JobQueue } from './job-queue';
import { HandlerProvider, JobKindsInvalid, pairHandlers } from './job-registry';

class Payload {}
const definition = (kind: string): JobDefinition => ({
  kind,
  notifies: 'every-end',
  survivesDeactivation: false,
  resumes: true,
  outlivesAccount: false,
  queue: JobQueue.Scan,
  payload: Payload,
});
const provider = (name: string, of: JobDefinition): HandlerProvider => ({
  name,
  definition: of,
  instance: { run: async () => undefined } satisfies JobHandler<object>,
});

const problemsOf = (definitions: JobDefinition[], providers: HandlerProvider[]): readonly string[] => {
  try {
    pairHandlers(definitions, providers);
  } catch (error) {
    if (error instanceof JobKindsInvalid) return error.problems;
    throw error;
  }
  return [];
};

describe('pairHandlers', () => {
  const archive = definition('archive_mails');

  it('should pair each definition with its handler', () => {
    const handler = provider('ArchiveMailsHandler', archive);
    expect(pairHandlers([archive], [handler]).get('archive_mails')).toEqual({
      definition: archive,
      handler: handler.instance,
    });
  });

  it('should name a definition without a handler', () => {
    expect(problemsOf([archive], [])).toEqual([expect.stringContaining('"archive_mails" has no handler')]);
  });

  it('should name the handlers of a definition that has several', () => {
    expect(problemsOf([archive], [provider('A', archive), provider('B', archive)])).toEqual([
      '"archive_mails" has several handlers: A, B',
    ]);
  });

  it('should refuse two definitions of one kind', () => {
    const other = definition('archive_mails');
    expect(problemsOf([archive, other], [provider('A', archive), provider('B', other)])).toEqual([
      expect.stringContaining('defined twice'),
    ]);
  });
});
