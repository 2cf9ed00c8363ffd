import type { LocatedOperation } from './operation';
import { nameOperations } from './operation-group';

const operation = (path: string, operationId: string, group?: string): LocatedOperation => ({
  path,
  method: 'get',
  operation: { operationId, responses: {}, ...(group === undefined ? {} : { 'x-operation-group': group }) },
});

describe(nameOperations.name, () => {
  it('should put the group before the method, and remove the marker', () => {
    const rules = operation('/rules', 'list', 'rules');
    const mails = operation('/mails', 'list', 'archive');

    nameOperations([rules, mails]);

    expect([rules.operation, mails.operation]).toEqual([
      { operationId: 'rules.list', responses: {} },
      { operationId: 'archive.list', responses: {} },
    ]);
  });

  it('should refuse an operation without a group', () => {
    expect(() => nameOperations([operation('/rules', 'list')])).toThrow(/GET \/rules: .*@OperationGroup/);
  });

  it('should refuse a duplicate id', () => {
    const twice = [operation('/rules', 'list', 'rules'), operation('/templates', 'list', 'rules')];

    expect(() => nameOperations(twice)).toThrow(
      'GET /templates: another operation is called rules.list already',
    );
  });
});
