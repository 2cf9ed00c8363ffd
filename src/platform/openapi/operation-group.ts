import { ApiExtension } from '@nestjs/swagger';
import type { LocatedOperation } from './operation';

const GROUP = 'x-operation-group';

/**
 * Names the resource of a controller: its operations are `<group>.<method>` in the OpenAPI document, and methods of
 * `mailroom.<group>` in the SDK. Operations therefore keep their ids when they move to another controller of the group.
 */
export const OperationGroup = (group: string): ClassDecorator => ApiExtension(GROUP, group);

/**
 * Puts the group in front of the method that each operation has as its id. Changes the operations in place.
 *
 * @throws Error when an operation has no group, or an id stands twice
 */
export function nameOperations(operations: readonly LocatedOperation[]): void {
  const ids = new Set<string>();
  for (const { path, method, operation } of operations) {
    const marked = operation as typeof operation & { [GROUP]?: string };
    const route = `${method.toUpperCase()} ${path}`;
    if (marked[GROUP] === undefined) throw new Error(`${route}: its controller needs an @OperationGroup`);
    const id = `${marked[GROUP]}.${marked.operationId ?? ''}`;
    delete marked[GROUP];
    if (ids.has(id)) throw new Error(`${route}: another operation is called ${id} already`);
    ids.add(id);
    operation.operationId = id;
  }
}
